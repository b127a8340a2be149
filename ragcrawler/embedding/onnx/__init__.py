"""Build and read ONNX model folders, the bundled models included."""
