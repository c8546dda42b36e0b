import { describe, expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const validators = await loadValidators(creatableKinds);

function check(marks: readonly string[], more = '', lifecycle = '', tags = '') {
  const text = `kind: workload
name: web
gvc: shop
tags: {team: shop${tags}}
lifecycle: {sensitive: ${JSON.stringify(marks)}${lifecycle}}
spec:
  type: standard
  containers:
    - name: main
      image: nginx:1
      args: [a, b]
      env:
        - {name: DB_PASSWORD, value: correct horse}
${more}`;
  const { documents } = parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
  const { resources, problems } = checkManifests(documents, { org: 'local', validators });
  return { marks: resources[0]?.lifecycle.sensitive, problems: problems.map(renderProblem) };
}

describe('paths of lifecycle.sensitive', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'an item by its key', marks: ['spec.containers.main.env.DB_PASSWORD.value'] },
      { it: 'every item, also an undeclared one', marks: ['spec.containers.*.env.*.value'] },
      { it: 'a tag', marks: ['tags.team'] },
      { it: 'an item of a list without keys', marks: ['spec.containers.main.args.1'] },
      { it: 'a whole item', marks: ['spec.containers.main.env.DB_PASSWORD'] },
      { it: 'all fields of an item, including its name', marks: ['spec.containers.main.env.DB_PASSWORD.*'] },
      { it: 'any item of a list that is currently empty', marks: ['spec.containers.main.ports.*.number'],
        more: '      ports: []\n' },
      { it: 'a field at the top level', marks: ['description'], more: 'description: hello\n' },
      { it: 'a tag named name', marks: ['tags.name'], more: '', tags: ', name: x' },
      { it: 'a field beside the key of an item', marks: ['spec.containers.main.ports.80.protocol'],
        more: '      ports: [{number: 80, protocol: http}]\n' },
    ],
  )('match $it', ({ marks, more = '', tags = '' }) => {
    expect(check(marks, more, '', tags)).toEqual({ marks, problems: [] });
  });

  test.each([
    {
      it: 'a position in a list with keys',
      written: 'spec.containers.0.env.0.value',
      kept: 'spec.containers.main.env.DB_PASSWORD.value',
    },
    { it: 'a position below *', written: 'spec.containers.*.env.0.value', kept: 'spec.containers.*.env.*.value' },
  ])('$it is stored so that it matches the item at any position', ({ written, kept }) => {
    expect(check([written])).toEqual({ marks: [kept], problems: [] });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'an undeclared item', path: 'spec.containers.main.env.DB_PASWORD.value',
        says: 'the manifest sets nothing at spec.containers.main.env.DB_PASWORD.value  Did you mean "DB_PASSWORD"?' },
      { it: 'an undeclared tag that begins with a digit', path: 'tags.2nd-tem', tags: ', 2nd-team: x',
        says: 'Did you mean "2nd-team"?' },
      { it: 'a field that does not exist', path: 'spec.container', says: 'Did you mean "containers"?' },
      { it: 'a field that is not set', path: 'spec.containers.main.command',
        says: 'the manifest sets nothing at spec.containers.main.command  Set the field, or remove the path.' },
      { it: 'not a path', path: 'spec..x', says: '"spec..x" is not a path' },
      { it: 'the key of an item', path: 'spec.containers.main.name', says: 'is the name of the item' },
      { it: 'the keys of any item', path: 'spec.containers.*.name', says: 'is the name of the item' },
      { it: 'a key with another field name', path: 'spec.containers.main.env.DB_PASSWORD.name',
        says: 'is the name of the item' },
      { it: 'any item of a list that is not set', path: 'spec.containers.main.ports.*.number',
        says: 'the manifest sets nothing at' },
      { it: 'the name', path: 'name', says: 'is the name of the resource' },
    ],
  )('$it is an error', ({ path, says, tags = '' }) => {
    const { problems } = check([path], '', '', tags);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('manifest.path  lifecycle.sensitive.0');
    expect(problems[0]).toContain(says);
  });
});

test('a port is identified by its number', () => {
  const { problems } = check(['spec.containers.main.ports.80.number'], '      ports: [{number: 80}]\n');
  expect(problems).toEqual([expect.stringContaining('spec.containers.main.ports.80.number is the name of the item')]);
});

test('messages of rules do not contain marked values, at any place', () => {
  const env = "        - {name: B, value: 'scheme://secret/swordfish-17/x'}\n      cpu: swordfish-18\n";
  const { problems } = check(['spec.containers.main.env.B.value', 'spec.containers.main.cpu'], env);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.join('\n')).not.toMatch(/swordfish/);
  expect(check([], env).problems.join('\n')).toMatch(/swordfish/);
});

test('a mask instead of a marked value is refused', () => {
  const { problems } = check(['spec.containers.main.env.B.value'], '        - {name: B, value: {sensitive: true}}\n');
  expect(problems).toEqual([expect.stringContaining('value.masked  spec.containers.main.env.B.value')]);
});

test('a marked field may have an external value', () => {
  const { problems } = check(['spec.containers.main.env.B.value'], '        - {name: B, value: {fromEnv: B}}\n');
  expect(problems).toEqual([expect.stringContaining('value.place')]); // nobody has read it here
});
