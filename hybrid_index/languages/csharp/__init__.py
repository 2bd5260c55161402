"""C# front end: source bytes to syntax trees, declarations, chunks and binder facts, without a compiler."""
