"""Several experiments on one page: what differs in their specs, their answers on one axis, what they are together."""
