// The JSON API as a collection for Bruno, an HTTP client that stores its requests in text files. It is generated from the
// OpenAPI document with Bruno's own package.

import { envJsonToBruV2, jsonToBruV2, jsonToCollectionBru, type BruRequest } from '@usebruno/lang';
import type { openapiDocument } from '../../src/merchant/options/api-docs/openapi-document';

const NAME = 'Merchant of the payment service';
const ABOUT = `Every route of the JSON API, with the values of its examples. Choose the environment \`local\` and fill in the \
secret \`apiKey\`: \`npm start\` prints it. Bruno keeps it on your computer, outside of these files.

Requests that change something come in the order of one story: see docs/03-guides/9-testing.md.

These files are made by \`npm run tool -- bruno\`: do not edit them.`;

type OpenapiDocument = ReturnType<typeof openapiDocument>;
type Operation = OpenapiDocument['paths'][string][string];
type Parameter = Operation['parameters'][number];
type OpenapiResponse = Operation['responses'][string];

/** Returns the text of each file, keyed by its path in the folder of the collection. */
export function brunoCollection({ tags, paths }: OpenapiDocument): Map<string, string> {
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: NAME, type: 'collection' }, null, 2)}\n`],
    [
      'collection.bru',
      jsonToCollectionBru({ auth: { mode: 'bearer', bearer: { token: '{{apiKey}}' } }, docs: ABOUT }),
    ],
    [
      'environments/local.bru',
      envJsonToBruV2({
        variables: [
          { name: 'baseUrl', value: 'http://localhost:3000', enabled: true, secret: false },
          { name: 'apiKey', value: '', enabled: true, secret: true },
        ],
      }),
    ],
  ]);
  tags.forEach(({ name, description }, index) => {
    const folder = name.replaceAll(' ', '-');
    const meta = { name, seq: index + 1 };
    files.set(
      `${folder}/folder.bru`,
      jsonToCollectionBru({ meta, auth: { mode: 'inherit' }, docs: description }),
    );
    operationsOf(paths, name).forEach(({ path, method, operation }, place) => {
      const file = `${folder}/${operation.operationId.replaceAll('_', '-')}.bru`;
      files.set(file, jsonToBruV2(toBruRequest(path, method, operation, place + 1)));
    });
  });
  return files;
}

function operationsOf(paths: OpenapiDocument['paths'], tag: string) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.some((each) => each === tag))
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

function toBruRequest(path: string, method: string, operation: Operation, seq: number): BruRequest {
  const { summary, description, security, parameters, requestBody, responses } = operation;
  const example = requestBody?.content['application/json']?.example;
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const search = query.map((parameter) => `${parameter.name}=${valueOf(parameter)}`).join('&');
  const params = parameters.map((parameter) => ({
    name: parameter.name,
    value: valueOf(parameter),
    type: parameter.in,
    enabled: parameter.required,
  }));
  return {
    meta: { name: summary, type: 'http', seq },
    http: {
      method,
      url: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}${search === '' ? '' : `?${search}`}`,
      body: example === undefined ? 'none' : 'json',
      auth: security.length > 0 ? 'inherit' : 'none',
    },
    ...(params.length > 0 && { params }),
    ...(example !== undefined && { body: { json: JSON.stringify(example, null, 2) } }),
    docs: [description, answersText(responses)].join('\n\n'),
  };
}

/** The first value of a parameter that can be repeated. */
function valueOf({ example }: Parameter): string {
  const first: unknown = Array.isArray(example) ? example[0] : example;
  return typeof first === 'number' || typeof first === 'string' ? String(first) : '';
}

/** The description or the error codes of each status. */
function answersText(responses: Record<string, OpenapiResponse>): string {
  return Object.entries(responses)
    .map(([status, { description }]) => `- \`${status}\` ${description}`)
    .join('\n');
}
