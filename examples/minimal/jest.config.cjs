module.exports = {
  // Ends a hang, but tolerates a busy machine.
  testTimeout: 180_000,
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
};
