"""What several apps need: permissions, fields, forms from options."""
