import { readdirSync, readFileSync } from 'node:fs';
import * as gantry from 'gantry';
import { Gvc, Identity, Testing, Workload } from 'gantry';
import { synth } from 'gantry/testing';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, stringAt } from '../../src/base/json/json.ts';

const folder = new URL('../../constructs/services/', import.meta.url).pathname;

/** The code and the manifests in the comment of each class. */
const comments = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(`${folder}${file}`, 'utf8').replaceAll(/^ \* ?/gm, '');
  const [, code] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  return code === undefined || yaml === undefined ? [] : [{ file, code, yaml }];
});

/** The placeholder for a value that a comment does not show. */
const hidden = 'correct horse';

/** The manifests of a comment's code, in a GVC with an identity and a workload; all are valid. */
function manifestsOf(code: string): readonly JsonObject[] {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const context = {
    ...gantry,
    gvc,
    backend: Identity.fromName(gvc, 'existing-backend', 'backend'),
    reader: Identity.fromName(gvc, 'existing-reader', 'reader'),
    web: Workload.fromName(gvc, 'existing-web', 'web'),
    process: { env: { DB_PASSWORD: hidden } },
  };
  const names = Object.keys(context).filter((name) => !code.includes(`const ${name} =`));
  new Function(...names, code)(...names.map((name) => Reflect.get(context, name)));
  return synth(stack);
}

/** Without the mark of a value that the comment shows as `…`. */
function shown({ lifecycle: _, ...manifest }: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(manifest).replace(hidden, '…'));
}

test.each(comments)('the comment in $file shows all resulting manifests', ({ file, code, yaml }) => {
  const made = new Map(manifestsOf(code).map((manifest) => [`${manifest['kind']}/${manifest['name']}`, manifest]));
  for (const document of loadAll(yaml)) {
    if (!isObject(document)) throw new Error('a manifest is an object');
    const manifest = made.get(`${stringAt(document, 'kind')}/${stringAt(document, 'name')}`);
    expect(manifest === undefined ? undefined : shown(manifest)).toEqual(document);
    made.delete(`${stringAt(document, 'kind')}/${stringAt(document, 'name')}`);
  }
  expect([...made.keys()]).toEqual(['gvc/shop', ...(file === 'database.ts' ? ['workload/api'] : [])]);
});

test('each service has one', () => {
  expect(comments.map(({ file }) => file)).toEqual([
    'cronJob.ts',
    'database.ts',
    'serverlessService.ts',
    'standardService.ts',
    'statefulService.ts',
    'staticSite.ts',
  ]);
});
