from cupy import cuda


def get_current_stream_ptr():
    return cuda.stream
