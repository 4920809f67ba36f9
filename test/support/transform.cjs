// Transforms with swc. The result is the same for every project of jest, so each file is transformed once instead of once for each
// project.

const { createTransformer } = require('@swc/jest');

exports.createTransformer = (options) => {
  const transformer = createTransformer(options);
  return {
    ...transformer,
    // Without the configuration of the project, which jest adds.
    getCacheKey: (source, path, given) =>
      transformer.getCacheKey(source, path, { ...given, configString: '' }),
  };
};
