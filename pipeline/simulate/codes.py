"""Codes of the simulate stage, R: what each means, why it matters, what to do."""

from __future__ import annotations

CODES: dict[str, tuple[str, str]] = {
    "R101": (
        "the functional run was left out",
        "The grid has more steps, or each step more elements, than the simulator runs in reasonable time. "
        "Legality, memory and timeline are still answered, numerics and hazards are not.\n\n"
        "Declare a variant with a smaller grid and the same blocks: what a kernel does wrong, it mostly does "
        "in a few steps.",
    ),
    "R102": (
        "the simulator has no rule for a primitive",
        "The kernel traces, but the simulator does not know how to compute one of its primitives. That is a "
        "gap of the simulator, not a mistake of the kernel.\n\n"
        "Rewrite the operation with others, or report the gap.",
    ),
    "R103": (
        "more memory than the simulator gives",
        "A scratch buffer or a value of the kernel takes more than a gigabyte. No chip has that much fast "
        "memory, so the shape is most likely a mistake.\n\n"
        "Declare a smaller shape or variant.",
    ),
    "R104": (
        "the functional run was given up",
        "A loop in the kernel ran until the work budget was used up: it may never end, or its bounds are far "
        "larger than meant.\n\n"
        "Bound the loop; a `while` whose condition depends on data is the usual place.",
    ),
    "R201": (
        "a data file cannot be read",
        "An input's data is declared as a .npy file, but the file is missing, cut short, in another format, "
        "or holds Python objects. Objects are never loaded: unpickling would run code.\n\n"
        "Save the array with numpy.save.",
    ),
    "R202": (
        "a data file does not fit its operand",
        "Shape and dtype of a .npy file must be those the spec declares for the operand. bf16 and fp8 arrays, "
        "for which the format has no names, are read as raw elements of their width.\n\n"
        "Save the array in the declared shape and dtype, or change the declaration.",
    ),
    "R203": (
        "data that cannot be made",
        "Integers are drawn from a range of at most 2^32 values.\n\nNarrow `low` and `high`.",
    ),
    "R210": (
        "the reference cannot be read",
        '`reference` is a lambda over names of the kernel\'s inputs, e.g. "lambda x: softmax(x, axis=1)".\n\n'
        "Write it so; params of the spec may be used by their names too.",
    ),
    "R211": (
        "the reference uses something unknown",
        "A reference is not run as Python: calls, operators, indexing, names and (name := value) are evaluated over a "
        "table of NumPy-like functions, and nothing else exists.\n\n"
        "Use functions of the table (the message suggests near names).",
    ),
    "R212": (
        "the reference cannot be computed",
        "A function or an operator of the reference does not take the arrays it is given: shapes that do not "
        "broadcast, an axis that is not there, a wrong number of arguments.\n\n"
        "The message shows the shapes.",
    ),
    "R213": (
        "the reference is too large",
        "Arrays, integers, depth and work of a reference are bounded.\n\n"
        "Use a smaller variant of the spec, or say the same with fewer intermediate elements.",
    ),
    "R214": (
        "the reference gives a wrong number of results",
        "There must be one result for each output, in the outputs' order.\n\nGive a tuple when there are several.",
    ),
    "R215": (
        "a reference result has another shape than its output",
        "The result is compared element by element, without broadcasting: a shape that happens to broadcast "
        "would hide a mistake.\n\n"
        "Reshape the result.",
    ),
    "R301": (
        "a read while a copy is filling the buffer",
        "A DMA may land at any time between its start and its wait, so what is read there is neither the old "
        "nor the new value. Interpret mode copies at the start and shows the right result; hardware need not.\n\n"
        "Wait for the copy before reading.",
    ),
    "R302": (
        "a write while a copy uses the buffer",
        "A buffer is written although a DMA still reads from it or writes to it. Which of the two wins is a "
        "race. The pipeline writes, too: it brings the next block into a window.\n\n"
        "Wait for the copy before writing, or use another buffer slot.",
    ),
    "R303": (
        "an index outside its ref",
        "A load, store or copy reaches past the ref, or a gather past the array. Interpret mode clamps the "
        "index and goes on, so that the result may even look right; hardware reads or overwrites whatever is "
        "there.\n\n"
        "Guard the access or correct its start.",
    ),
    "R304": (
        "a copy between different shapes",
        "Source and destination of a DMA must have the same shape.\n\nSlice both ends alike.",
    ),
    "R305": (
        "a broken promise of alignment",
        "`pl.multiple_of(x, n)` promises the compiler that n divides x, and the compiled kernel relies on it.\n\n"
        "Drop the promise or correct the index.",
    ),
    "R310": (
        "a wait that never ends",
        "A semaphore is waited for, but what was started or signalled on it does not add up to what the wait "
        "takes. On hardware the kernel hangs.\n\n"
        "Start the copy (or signal) before the wait, once for each wait.",
    ),
    "R311": (
        "a copy that nobody waits for",
        "A DMA is started and the kernel ends without a wait for it. Whether it has landed by then is chance, "
        "and its semaphore starts the next kernel with a wrong count.\n\n"
        "Wait for every copy.",
    ),
    "R312": (
        "a semaphore that is not back at zero",
        "Semaphores must be zero when the kernel, or the scope that made them, ends: the next user finds the "
        "rest.\n\n"
        "Match each start or signal with one wait.",
    ),
    "R320": (
        "a block index outside the array",
        "An index map gave a block that the array does not have. The run clamps it to the nearest block, as "
        "interpret mode does; a compiled kernel reads or writes other memory, or the compiler stops.\n\n"
        "Keep the index in range; for an index read from a scalar prefetch operand, check the data.",
    ),
    "R321": (
        "output elements that are never written",
        "Outputs start uninitialised. Elements that no step stores to hold whatever was in memory.\n\n"
        "Store to the whole block in every step that visits it, and let the index map visit every block.",
    ),
    "R322": (
        "padding reaches an output",
        "The last block of an array may run past its end; what is read there is unspecified. It is harmless "
        "where it stays in elements that are dropped again, but here it reached an output, mostly through a "
        "reduction or a contraction. A simulator that fills with zeros would call the kernel right.\n\n"
        "Mask the operand past its end before it is reduced (both factors of a product, since NaN times 0 is "
        "NaN), or pad the array.",
    ),
    "R323": (
        "uninitialised memory reaches an output",
        "Scratch and output blocks hold whatever was in memory until they are written. A block that is left "
        "and visited again is uninitialised too: the copy in HBM is not fetched back.\n\n"
        "Write the buffer in the first step that uses it; put the axis that accumulates innermost.",
    ),
    "R325": (
        "an aliased output that is written in part",
        "An aliased output starts as its input in HBM, but a block of it in fast memory starts uninitialised "
        "and is written back whole.\n\n"
        "Copy the input's block to the output's block first.",
    ),
    "R330": (
        "two steps that touch the same elements at once",
        "Steps that differ along a parallel grid axis run in any order, and at once where a chip has two cores. Two of "
        "them touch the same elements of an array in HBM, and at least one writes: what is left there is chance. An "
        "output block counts as written whole by every step that has it.\n\n"
        'Declare the axis "arbitrary", which orders its steps, or let the index map or the copies give each step along '
        "it elements of its own.",
    ),
    "R331": (
        "memory carried from one parallel step to another",
        "Scratch, semaphores and prefetched scalars keep their contents from step to step, but each core has its own. "
        "A step uses what was left there by one that differs from it along a parallel grid axis: in another order, or "
        "on another core, it finds something else; a wait for a copy that another step started never ends.\n\n"
        'Declare the axis "arbitrary", or set the memory in the first of the steps that agree along the parallel '
        "axes.",
    ),
    "R332": (
        "an aliased input read after its output was written",
        "Input and output share their memory. Interpret mode reads the input's old values all the time; on hardware "
        "what was written back is seen, or it is not, as copies happen to fall.\n\n"
        "Read every block before any step writes there, read the output instead, or leave the alias out.",
    ),
    "R333": (
        "races were not looked for",
        "An array that steps may share has more elements than the simulator keeps account of, or the run has more "
        "steps.\n\n"
        "Declare a variant with a smaller array or grid: a race shows there, too.",
    ),
    "R341": (
        "the outputs depend on the order of parallel steps",
        "Along a `parallel` axis hardware may run the steps in any order, or on two cores at once. Run backwards or "
        "shuffled, this kernel gives other values; interpret mode knows one order and never shows it.\n\n"
        "Let each step have output blocks and scratch of its own, or declare the axis `arbitrary`.",
    ),
    "R342": (
        "the outputs depend on when copies land",
        "A DMA may land at any time between its start and its wait. This kernel gives one answer where copies land at "
        "the wait, and another where they land at once.\n\n"
        "Wait for a copy before anything looks at its ends or at its semaphore.",
    ),
    "R343": (
        "the outputs depend on what memory holds",
        "NaN in uninitialised memory and padding does not reach the outputs, but finite values do: a comparison or a "
        "`jnp.where` that drops NaN hides what is read there.\n\n"
        "Write memory before it is read, and mask padding by its index rather than by its value.",
    ),
    "R350": (
        "a value indexed out of bounds",
        "A slice starts where it does not fit and is moved until it does, or a gather takes an element that is not "
        'there: it is clamped, dropped or filled, as its mode says. Asked for with `checks = ["bounds"]`; an access '
        "of a ref out of bounds is a finding without that (R303), and so is a block (R320).\n\n"
        "Guard the access or correct its start.",
    ),
    "R351": (
        "a NaN or an infinity made here",
        "The equation makes a NaN of operands without one, or an infinity of finite operands: the first place where "
        'the value goes wrong. Asked for with `checks = ["nan"]`, since a kernel may mean it and mask it out.\n\n'
        "Keep the operand in the function's domain, and results in the dtype's range.",
    ),
    "R352": (
        "a division by zero",
        "Of integers the quotient by zero is -1 and the remainder the dividend, of floats infinity or NaN. Asked for "
        'with `checks = ["div"]`.\n\n'
        "Put another divisor where it is zero.",
    ),
    "R353": (
        "a read before the first write",
        "Scratch, or an output's block, is read where nothing has been written since it was there. Asked for with "
        '`checks = ["uninitialized"]`; where the outputs depend on it, it is a finding without that (R323).\n\n'
        "Write the buffer in the first step that uses it.",
    ),
    "R354": (
        "a check of the kernel fails",
        'The condition of a `pl.debug_check` does not hold. Asked for with `checks = ["debug"]`; JAX compiles '
        "checks only where `pallas_enable_debug_checks` is set.\n\n"
        "Correct what leads to it, or the condition.",
    ),
    "R401": (
        "an output differs from the reference",
        "More than the tolerance, which follows from the dtypes and from the number of terms added up; the "
        "capture shows it.\n\n"
        "Look at the hazards first; then compare the kernel with the reference part by part.",
    ),
}
