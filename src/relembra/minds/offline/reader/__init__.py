"""Reading without a model: rules in Portuguese and English that find what people say of themselves and theirs."""
