// A call as a program in each language, with its standard library only. Generated from the OpenAPI document's examples;
// the variable API_KEY holds the key.

import { curlCommand, type ExampleRequest } from '../../platform/http/route-description';

type Snippet = { language: string; name: string; code: string };

type Call = { method: string; url: string; needsKey: boolean; body: string | null };

export function snippetsOf(example: ExampleRequest, origin: string): Snippet[] {
  const { method, path, needsKey, body } = example;
  const call = { method, url: origin + path, needsKey, body };
  return [
    { language: 'curl', name: 'curl', code: curlCommand(example, origin) },
    { language: 'node', name: 'Node', code: nodeCode(call) },
    { language: 'python', name: 'Python', code: pythonCode(call) },
    { language: 'php', name: 'PHP', code: phpCode(call) },
    { language: 'java', name: 'Java', code: javaCode(call) },
    { language: 'kotlin', name: 'Kotlin', code: kotlinCode(call) },
  ];
}

function nodeCode({ method, url, needsKey, body }: Call): string {
  const headers = [
    ...(needsKey ? ['    Authorization: `Bearer ${process.env.API_KEY}`,'] : []),
    ...(body === null ? [] : [`    'Content-Type': 'application/json',`]),
  ];
  return lines(
    `const response = await fetch(${quoted(url)}, {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === null ? [] : [`  body: JSON.stringify(${pretty(body, '  ')}),`]),
    '});',
    'console.log(response.status, await response.text());',
  );
}

function pythonCode({ method, url, needsKey, body }: Call): string {
  const headers = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['API_KEY']}",`] : []),
    ...(body === null ? [] : ['        "Content-Type": "application/json",']),
  ];
  return lines(
    `import json, os, urllib.error, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === null ? [] : [`    data=json.dumps(${literal(JSON.parse(body), PYTHON, '    ')}).encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.read().decode())',
  );
}

function phpCode({ method, url, needsKey, body }: Call): string {
  const headers = [
    ...(needsKey ? [`        'Authorization: Bearer ' . getenv('API_KEY'),`] : []),
    ...(body === null ? [] : [`        'Content-Type: application/json',`]),
  ];
  return lines(
    '<?php',
    `$curl = curl_init(${quoted(url)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...headers, '    ],'] : []),
    ...(body === null
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${literal(JSON.parse(body), PHP, '    ')}),`]),
    ']);',
    '$body = curl_exec($curl);',
    `echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $body, PHP_EOL;`,
  );
}

function javaCode({ method, url, needsKey, body }: Call): string {
  const indent = ' '.repeat(16);
  // In a text block a backslash begins an escape, as in JSON.
  const text = body === null ? '' : pretty(body, indent).replaceAll('\\', '\\\\');
  const publisher = body === null ? 'noBody()' : `ofString("""\n${indent}${text}\n${indent}""")`;
  return lines(
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    '',
    'public class Call {',
    '    public static void main(String[] args) throws Exception {',
    `        var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))`,
    ...(needsKey ? ['            .header("Authorization", "Bearer " + System.getenv("API_KEY"))'] : []),
    ...(body === null ? [] : ['            .header("Content-Type", "application/json")']),
    `            .method("${method}", HttpRequest.BodyPublishers.${publisher})`,
    '            .build();',
    '        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    '        System.out.println(response.statusCode() + " " + response.body());',
    '    }',
    '}',
  );
}

function kotlinCode({ method, url, needsKey, body }: Call): string {
  const indent = ' '.repeat(12);
  // A raw string has no escapes, but a dollar sign begins a template.
  const text = body === null ? '' : pretty(body, indent).replaceAll('$', "${'$'}");
  const publisher = body === null ? 'noBody()' : `ofString("""\n${indent}${text}\n${indent}""")`;
  return lines(
    'import java.net.URI',
    'import java.net.http.HttpClient',
    'import java.net.http.HttpRequest',
    'import java.net.http.HttpResponse',
    '',
    'fun main() {',
    `    val request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))`,
    ...(needsKey ? ['        .header("Authorization", "Bearer ${System.getenv("API_KEY")}")'] : []),
    ...(body === null ? [] : ['        .header("Content-Type", "application/json")']),
    `        .method("${method}", HttpRequest.BodyPublishers.${publisher})`,
    '        .build()',
    '    val response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())',
    '    println("${response.statusCode()} ${response.body()}")',
    '}',
  );
}

/** How a language writes JSON values. `entry` is a name and a value of an object. */
type Notation = {
  words: { true: string; false: string; null: string };
  text: (value: string) => string;
  object: [open: string, close: string];
  emptyObject: string;
  entry: (name: string, value: string) => string;
};

const PYTHON: Notation = {
  words: { true: 'True', false: 'False', null: 'None' },
  text: (value) => JSON.stringify(value),
  object: ['{', '}'],
  emptyObject: '{}',
  entry: (name, value) => `${name}: ${value}`,
};

const PHP: Notation = {
  words: { true: 'true', false: 'false', null: 'null' },
  text: quoted,
  object: ['[', ']'],
  // An empty array would become a list.
  emptyObject: 'new stdClass()',
  entry: (name, value) => `${name} => ${value}`,
};

function literal(value: unknown, notation: Notation, indent: string): string {
  const step = `${indent}    `;
  const several = ([open, close]: [string, string], items: string[]) =>
    lines(open, ...items.map((item) => `${step}${item},`), `${indent}${close}`);
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'boolean' || value === null) return notation.words[`${value}`];
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : several(
          ['[', ']'],
          value.map((item) => literal(item, notation, step)),
        );
  const entries = Object.entries(value).map(([name, item]) =>
    notation.entry(notation.text(name), literal(item, notation, step)),
  );
  return entries.length === 0 ? notation.emptyObject : several(notation.object, entries);
}

/** JSON over several lines; the first one continues the line before. */
function pretty(json: string, indent: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replaceAll('\n', `\n${indent}`);
}

/** In JavaScript and PHP. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const lines = (...each: string[]) => each.join('\n');
