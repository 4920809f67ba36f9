// Rules of the linter: which code may use which part of the Context (src/README.md).

/** Matches `context.name`, and `name` destructured from a Context. */
const usesOf = (name, message) => ({
  create: (context) => ({
    MemberExpression(node) {
      if (node.object.name === 'context' && node.property.name === name) context.report({ node, message });
    },
    ObjectPattern({ properties }) {
      const node = properties.find(({ key }) => key?.name === name);
      if (node) context.report({ node, message });
    },
  }),
});

export default {
  meta: { name: 'context' },
  rules: {
    'stores-alone-use-the-database': usesOf('database', 'Stores alone use the database.'),
    'a-store-never-asks-the-service': usesOf('service', 'A store never asks the service.'),
  },
};
