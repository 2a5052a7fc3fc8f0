"""Codes of the schedule stage: P1xx blocks, P2xx memory, P3xx index maps, P4xx copies, P5xx cost,
P6xx what the chip's units take.

P0xx are chip profiles', in `pipeline/chips/codes.py`.
"""

CODES: dict[str, tuple[str, str]] = {
    "P101": (
        "block off the tile lattice",
        "Of a block's last two axes, the last has to be a multiple of the lanes (128 on a TPU) and the second-last a "
        "multiple of the sublanes (8), or the block has to span the whole axis. Axes before those are free, and a "
        "squeezed axis (None) counts as 1. Pallas refuses such a block for every dtype; interpret mode does not "
        "notice.",
    ),
    "P102": (
        "block cuts a tile of a packed dtype",
        "Arrays of 8-bit and 4-bit elements whose second-last axis is a multiple of 32 (64) lie in tiles of that many "
        "rows. A block that passes the lattice of 8 rows may still cut such a tile; the compiler refuses it. The rule "
        "looks at the array's size, so the same block can be legal for another array.",
    ),
    "P103": (
        "rank 1 block off the lattice",
        "A rank 1 block has to be the whole array, a multiple of lanes x sublanes (1024 on a TPU), or a power of two "
        "of at least one row of 32-bit words (128 elements of 32 bits, 256 of 16, 512 of 8).",
    ),
    "P104": (
        "window in memory that has none",
        "An operand in ANY or HBM is not copied by the pipeline, so it has no blocks: it is handed over whole, with "
        "index map 0. Copy what you need with make_async_copy, or leave the operand's memory space out.",
    ),
    "P105": (
        "block without an axis",
        "Blocks have at least one axis. A scalar goes to SMEM, to scalar prefetch, or into an array of shape (1, 1).",
    ),
    "P106": (
        "Element and blocked dimensions mixed",
        "The index map of an Element dimension counts elements, that of a blocked one counts blocks; the lowering "
        "takes all dimensions of one operand of either kind, but not both.",
    ),
    "P107": (
        "too many buffer slots",
        "The pipeline around a TPU kernel keeps one or two slots for each window. Deeper pipelines are written by "
        "hand, with scratch and semaphores.",
    ),
    "P108": (
        "rank 1 block ends inside a row",
        "The last row of a rank 1 window is stored under a mask, and the chip has no masks for elements this small. "
        "Sizes that are a multiple of the row need none.",
    ),
    "P109": (
        "dtype that kernels do not take",
        "The chip's loads and stores have no form for this dtype: float16 and all 64-bit dtypes on TPUs. The compiler "
        "refuses every operand of it, one that is only copied from HBM to HBM or not used at all included. An array of "
        "it can lie in HBM, but a kernel is given its bits as another dtype: jax.lax.bitcast_convert_type outside.",
    ),
    "P110": (
        "Element index off the tile",
        "The index map of an Element dimension counts elements, and a window starts at a tile of its array: every "
        "value the map gives has to be a multiple of the tile's rows or lanes, and the compiler has to see that it is "
        "(a product with such a constant is enough).",
    ),
    "P111": (
        "scratch in memory that has none",
        "Scratch is allocated in VMEM, SMEM or semaphore memory; HBM is the caller's.",
    ),
    "P112": (
        "index map of 64-bit integers",
        "The pipeline around a kernel counts in 32 bits, and the compiler takes no index map that gives anything else. "
        "It happens where JAX runs with jax_enable_x64: a plain 0 in the map is an int64 then. Write jnp.int32(0), or "
        "trace the kernel without x64.",
    ),
    "P201": (
        "VMEM limit exceeded",
        "Windows (all buffer slots, padded to tiles), scratch and run_scoped memory together are more than the limit "
        "that holds: the call's vmem_limit_bytes, else the chip's default, which is less than the chip has. Raise "
        "vmem_limit_bytes, or make blocks smaller. Spilled registers come on top of the number given here.",
    ),
    "P202": (
        "VMEM exceeded",
        "Windows (all buffer slots, padded to tiles), scratch and run_scoped memory together are more than the chip "
        "has. No limit helps: make blocks or scratch smaller, or single-buffer an operand.",
    ),
    "P203": (
        "SMEM exceeded",
        "Scalar-prefetch operands, SMEM operands and SMEM scratch are more than the chip's SMEM, less what the system "
        "keeps. A two-dimensional array is padded to tiles there too: (n, 1) takes 128 times its elements; use rank "
        "1.",
    ),
    "P204": (
        "semaphore memory exceeded",
        "Each semaphore takes 4 bytes, and each buffer slot of a window has one.",
    ),
    "P205": (
        "HBM exceeded",
        "Operands and results, padded to tiles, are more than one logical device offers.",
    ),
    "P206": (
        "spilled registers may not fit",
        "The plan fits, but values that do not find a vector register are stored in VMEM too, 4 KiB each, and by the "
        "estimate of this stage there is no room for so many. An estimate: the compiler may find a better order. Leave "
        "room: smaller blocks, or a higher vmem_limit_bytes.",
    ),
    "P301": (
        "block index out of range",
        "At some grid step the index map asks for a block that the array does not have. Interpret mode clamps it and "
        "may even give the expected numbers; on the chip it reads or writes other memory, and a constant index out of "
        "range brings the compiler down. A block that lies partly inside the array is fine.",
    ),
    "P302": (
        "output block revisited after it was left",
        "An output block is written back when the grid goes on to another block, and the window is not filled from "
        "HBM when it returns: what the earlier steps accumulated is lost. All steps of a block have to be "
        "consecutive, so a reduction runs along the innermost grid axes.",
    ),
    "P303": (
        "index map not decided",
        "The range of the map could not be derived and there are too many points to try. Nothing is known to be wrong.",
    ),
    "P304": (
        "output shared along a parallel axis",
        "A parallel axis promises that its steps are independent, so they may be split over cores. Here several of "
        "them write the same output block.",
    ),
    "P305": (
        "output block written more than once",
        "The grid comes back to an output block and the body overwrites it. The last step wins, and the earlier "
        "writes cost bandwidth for nothing.",
    ),
    "P306": (
        "grid axis spread over cores that are not there",
        "A core_parallel axis is split over the cores of one logical device, so it cannot be longer than there are "
        "cores.",
    ),
    "P307": (
        "grid too long",
        "The pipeline around a kernel counts its steps in signed 32-bit integers: no axis, and not the whole grid, "
        "has more than 2147483646 steps, and none a negative number.",
    ),
    "P308": (
        "semantics do not fit the grid",
        "Dimension semantics are one word for each grid axis, in the grid's order. Pallas refuses a list of another "
        "length.",
    ),
    "P309": (
        "two axes spread over cores",
        "A core_parallel axis is split over the cores of one logical device; Pallas refuses a grid with more than one.",
    ),
    "P310": (
        "a step in place that is run again",
        "Where no parallel axis is a multiple of the number of cores, the compiler joins the parallel axes and gives "
        "each core as many of their steps, rounded up; those past the end are the first step again. A kernel that "
        "reads an input and writes its result to the same memory then does so to its own result. Interpret mode, and "
        "a chip with one core, never show it.\n\n"
        'Let one parallel axis divide evenly, or declare the axes "arbitrary", so that one core does everything.',
    ),
    "P401": (
        "copy starts inside a tile",
        "A slice of an array in HBM starts at a multiple of its tile along the last two axes, and for a start that is "
        "computed the compiler has to see that it does: a product with such a constant, or pl.multiple_of. Rows "
        "inside a single tile are an exception when they are whole 32-bit words.",
    ),
    "P402": (
        "copy ends inside a tile",
        "A slice of an array in HBM covers whole tiles along the last two axes, or the whole axis. Rows inside a "
        "single tile are an exception when they are whole 32-bit words.",
    ),
    "P403": (
        "copy of bools",
        "A bool lies in memory as 32 bits on one side and as a mask on the other; there is no DMA for it.",
    ),
    "P404": (
        "copy between two memories that have no way to each other",
        "The DMAs of early chips (v2, v3) go between HBM and VMEM, between HBM and SMEM, and within VMEM. Copies in "
        "HBM or SMEM, and those between VMEM and SMEM, need a chip from v4 on, or two copies with a stop in between.",
    ),
    "P501": (
        "block mostly padding",
        "A block's last axis is padded to the lanes of a vector register, in VMEM and in every copy. Narrow blocks "
        "move and compute mostly padding.",
    ),
    "P502": (
        "matrix unit mostly idle",
        "The matrix unit multiplies by a square block of weights, and a narrow right operand fills only a part of it: "
        "each row takes as long as a full one.",
    ),
    "P503": (
        "steps mostly overhead",
        "Every grid step runs the pipeline's own code: counters, semaphores, starts of copies. If body and copies take "
        "less than that, most of the time goes into it. Larger blocks mean fewer steps; the finding says how much VMEM "
        "is left for them.",
    ),
    "P504": (
        "blocks fetched again and again",
        "A block is copied whenever the grid comes to it from another one. An operand that does not change along the "
        "innermost axes is fetched once for all of them, so the axes that large blocks do not depend on belong inside. "
        "The order that is proposed still leaves every output block only once.",
    ),
    "P505": (
        "room for larger blocks",
        "Most of the VMEM that the kernel may use is free, and a good part of each step goes into the pipeline's own "
        "code, which takes as long for a small block as for a large one. The finding names a larger block for each "
        "operand that moves along one grid axis, and the shorter grid. They have been tried: the blocks are legal and "
        "take at most half of the limit. The kernel has to be written for a block of any size; scratch that follows "
        "the block's shape has to follow it still. Kernels that ask for their place on that axis get no proposal.",
    ),
    "P601": (
        "op without a form for this dtype",
        "The chip's vector unit computes in few dtypes, and the compiler converts only some of the others: float8, "
        "int8 and int4 are stored, moved and converted, but not added; int16 has no maximum, division or shift; "
        "uint32 no maximum. `pipeline chips matrix` shows which op takes which dtype on which chip. Convert first, "
        "compute, and convert back.",
    ),
    "P602": (
        "cast without a form",
        "Most pairs of dtypes convert into each other, in one step or in several that the compiler makes. The "
        "exceptions are float16, which has no vectors at all, and bool to the narrowest integers. Go through int32, "
        "and from bool to int4 through float32: a mask that is only widened and cut again is one cast to the compiler.",
    ),
    "P603": (
        "operands that the matrix unit does not take",
        "Each generation multiplies certain pairs of dtypes into certain accumulators: see the matmul rows of "
        "`pipeline chips show`. A row that is not native is accepted because the compiler converts the operands "
        "first, which costs vector work. Convert the operands to bfloat16, or ask for another accumulator.",
    ),
    "P604": (
        "vector access at a start that is not provably aligned",
        "A vector register is filled from whole tiles of memory. A start along the last two axes that is computed has "
        "to be a multiple of the tile, and the compiler has to see it from the expression: a product with such a "
        "number, a sum or minimum of such products, or pl.multiple_of. Rows of 32-bit elements may start anywhere if "
        "one is taken at a time or the ref is one register wide. Static starts are free, except that some chips "
        "cannot shift 8-bit rows.",
    ),
    "P605": (
        "strided access without a form",
        "Loads and stores with a stride exist for rows of 32-bit elements in refs of exactly one register's lanes. "
        "Lanes have no stride.",
    ),
    "P606": (
        "scalar out of vector memory",
        "A single element is read from VMEM only if it has 32 bits and its index is static. Tables that are read at "
        "computed places belong in SMEM or scalar prefetch.",
    ),
    "P607": (
        "reshape without a form",
        "Reshapes that keep the last axis only rename registers. Those that change it move data between lanes and "
        "sublanes, and not every chip can do so for every dtype; booleans, which live in masks, cannot be reshaped, "
        "joined or shifted off their tiles at all. Do it to the numbers from which the booleans come, in 32 bits, or "
        "make an iota of the final shape.",
    ),
    "P608": (
        "data movement that the chip does not have",
        "Gathers work within one vector register and on 32-bit data; rotations along rows need 32-bit elements; older "
        "chips do not move data across sublanes at all, which turning a column of results into a row needs.",
    ),
}
