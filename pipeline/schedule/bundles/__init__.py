"""The bundle schedule: vector operations to register operations, packed block by block into the chip's issue slots."""
