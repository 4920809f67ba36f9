import eslint from '@eslint/js';
import perfectionist from 'eslint-plugin-perfectionist';
import tseslint from 'typescript-eslint';

/** Matches `context.name`, and `name` destructured from a Context. */
const usesOf = (name) => [
  `MemberExpression[object.name="context"][property.name="${name}"]`,
  `ObjectPattern > Property[key.name="${name}"]`,
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      '**/generated/',
      'examples/minimal/prisma.config.ts',
      'dist/',
      'coverage/',
      '.data/',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Factories return closures instead of classes, so methods do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none' }],
    },
  },
  {
    // Order of imports: Node's modules, packages, parent folders, own folder. Within braces, values before types.
    files: ['**/*.ts', '**/*.mjs'],
    plugins: { perfectionist },
    rules: {
      'perfectionist/sort-imports': [
        'error',
        { groups: ['builtin', 'external', 'parent', ['sibling', 'index']], newlinesBetween: 0 },
      ],
      'perfectionist/sort-named-imports': ['error', { groups: ['value-import', 'type-import'] }],
    },
  },
  {
    // JSON answers are `any` by nature; a test asserts their shape itself.
    files: ['{test,tools/test,tools/proof}/**/*.ts', 'examples/**/*test*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      'no-restricted-globals': [
        'error',
        ...['it', 'fit', 'xit', 'xtest', 'fdescribe', 'xdescribe'].map((name) => ({
          name,
          message: 'Use `test` and `describe`.',
        })),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name=/^(describe|test)$/][property.name="only"]',
          message: 'It keeps the other tests from running.',
        },
        {
          // `available ? describe : describe.skip` is allowed: a missing browser is not a failure.
          selector:
            ':not(ConditionalExpression) > MemberExpression[object.name=/^(describe|test)$/][property.name=/^(skip|todo)$/]',
          message: 'Fix the test, or remove it.',
        },
      ],
    },
  },
  {
    // Each program reads the environment at its start only; all other code receives its settings. A shop may have settings of
    // its own, which config.ts does not know.
    files: ['src/merchant/**/*.ts', 'src/sandbox/**/*.ts'],
    ignores: ['src/merchant/platform/environment.ts', 'src/merchant/shop/**', 'src/sandbox/server.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read it from the config.' },
      ],
    },
  },
  {
    // Which code may use which part of the Context (src/README.md).
    files: ['src/merchant/**/*.ts'],
    ignores: ['**/{*-,}store.ts', 'src/merchant/platform/{context,readiness}.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...usesOf('database').map((selector) => ({ selector, message: 'Stores alone use the database.' })),
      ],
    },
  },
  {
    files: ['src/merchant/**/{*-,}store.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...usesOf('service').map((selector) => ({ selector, message: 'A store never asks the service.' })),
      ],
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { module: 'writable', require: 'readonly', __dirname: 'readonly' } },
  },
  {
    files: ['{scripts,tools}/**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
  {
    files: ['views/**/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        document: 'readonly',
        window: 'readonly',
        navigator: 'readonly',
        localStorage: 'readonly',
        MutationObserver: 'readonly',
        fetch: 'readonly',
        EventSource: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        FormData: 'readonly',
        HTMLElement: 'readonly',
        location: 'readonly',
        URL: 'readonly',
        addEventListener: 'readonly',
        removeEventListener: 'readonly',
      },
    },
  },
);
