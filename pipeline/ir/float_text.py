"""How MLIR prints a float constant: short exponent form, else enough digits, else the bits. Plain integers throughout.

Source: the behaviour of MLIR's printer and of LLVM's `APFloat::toString`, checked against jaxlib's printer.
"""

from __future__ import annotations

import math
import struct

# element type -> (exponent bits, mantissa bits); the exponent's bias is 2**(bits - 1) - 1
_FORMATS: dict[str, tuple[int, int]] = {
    "f64": (11, 52),
    "f32": (8, 23),
    "f16": (5, 10),
    "bf16": (8, 7),
    "f8E5M2": (5, 2),
    "f8E4M3FN": (4, 3),
    "f8E4M3B11FNUZ": (4, 3),
}
# formats without infinities have a NaN pattern of their own
_NAN_BITS: dict[str, int] = {"f8E4M3FN": 0x7F, "f8E4M3B11FNUZ": 0x80}
_SHORT_DIGITS = 6  # significant digits of the short form, which then gets one more zero
_MAX_PADDING = 3  # zeros after "0." before the long form turns to an exponent


def float_text(value: float, element: str) -> str:
    """Text of `value`, which `element` (an MLIR float type) can hold exactly."""
    if math.isinf(value) or math.isnan(value):
        return _bits_text(value, element)
    short = _exponent_form(*_digits(value, _SHORT_DIGITS), truncate=False, negative=_negative(value))
    if _reads_back(short, value, element):
        return short
    precision = 2 + (_FORMATS[element][1] + 1) * 59 // 196
    text = _default_form(*_digits(value, precision), precision, negative=_negative(value))
    return text if "." in text else _bits_text(value, element)


def _negative(value: float) -> bool:
    return math.copysign(1.0, value) < 0


def _digits(value: float, precision: int) -> tuple[str, int]:
    """(decimal digits without trailing zeros, power of ten of the last one), at most `precision` digits.

    As LLVM does it: binary digits beyond what `precision` needs are cut off as a power of ten first, then the decimal
    digits left over are rounded half up. What is cut off first no longer rounds, so 87833.40625 gives 87833.4062.
    """
    if value == 0:
        return "0", 0
    mantissa, power = math.frexp(abs(value))
    significand = int(math.ldexp(mantissa, 53))
    power -= 53
    zeros = (significand & -significand).bit_length() - 1
    significand >>= zeros
    power += zeros
    exponent = 0
    if power > 0:
        significand <<= power
    elif power < 0:
        significand *= 5**-power
        exponent = power
    # 196 / 59 is a little more than the bits in a decimal digit
    excess = significand.bit_length() - (precision * 196 + 58) // 59
    if excess > 0:
        tens = excess * 59 // 196
        exponent += tens
        significand //= 10**tens
    text = str(significand)
    if len(text) > precision:
        dropped = len(text) - precision
        exponent += dropped
        head = int(text[:precision]) + (text[precision] >= "5")
        text = str(head)
    stripped = text.rstrip("0")
    return stripped, exponent + len(text) - len(stripped)


def _exponent_form(digits: str, exponent: int, *, truncate: bool, negative: bool) -> str:
    power = exponent + len(digits) - 1
    fraction = digits[1:]
    if truncate:
        fraction = fraction or "0"
        tail = f"E{'+' if power >= 0 else '-'}{abs(power)}"
    else:
        fraction = fraction.ljust(_SHORT_DIGITS, "0")
        tail = f"e{'+' if power >= 0 else '-'}{abs(power):02d}"
    return f"{'-' if negative else ''}{digits[0]}.{fraction}{tail}"


def _default_form(digits: str, exponent: int, precision: int, *, negative: bool) -> str:
    count = len(digits)
    if exponent >= 0:
        scientific = exponent > _MAX_PADDING or count + exponent > precision
    else:
        power = exponent + count - 1
        scientific = power < 0 and -power > _MAX_PADDING
    if scientific:
        return _exponent_form(digits, exponent, truncate=True, negative=negative)
    sign = "-" if negative else ""
    if exponent >= 0:
        return f"{sign}{digits}{'0' * exponent}"
    whole = count + exponent
    if whole > 0:
        return f"{sign}{digits[:whole]}.{digits[whole:]}"
    return f"{sign}0.{'0' * -whole}{digits}"


def _reads_back(text: str, value: float, element: str) -> bool:
    """Whether `text`, rounded to `element`, is `value` again."""
    number = float(text)
    match element:
        case "f64":
            return number == value
        case "f32":
            try:
                return bool(struct.unpack("<f", struct.pack("<f", number))[0] == value)
            except OverflowError:
                return False
        case _:
            return True  # six digits are more than 16 bits can tell apart


def _bits_text(value: float, element: str) -> str:
    """The bits in hexadecimal, padded to the type's width; the one NaN that constants hold is the quiet one."""
    exponent_bits, mantissa_bits = _FORMATS[element]
    width = 1 + exponent_bits + mantissa_bits
    top = (1 << exponent_bits) - 1
    if math.isnan(value) and element in _NAN_BITS:
        bits = _NAN_BITS[element]
    elif math.isnan(value):
        bits = top << mantissa_bits | 1 << (mantissa_bits - 1)
    elif math.isinf(value):
        bits = top << mantissa_bits
    else:
        mantissa, power = math.frexp(abs(value))
        fraction = int(math.ldexp(mantissa, mantissa_bits + 1)) - (1 << mantissa_bits)
        bits = (power - 1 + (top >> 1)) << mantissa_bits | fraction
    if _negative(value):
        bits |= 1 << (width - 1)
    return f"0x{bits:0{width // 4}X}"
