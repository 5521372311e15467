"""The kernels' distance to C++: their source translated, compiled by g++ and set beside them."""
