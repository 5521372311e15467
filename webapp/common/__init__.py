"""Parts that several apps need: permissions, fields, forms from options."""
