import { describe, expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { ownerOfPartTag, partTagOf } from '../../src/manifest/model/ownTags.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const validators = await loadValidators(creatableKinds);

function rules(text: string): readonly string[] {
  const { documents } = parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
  return checkManifests(documents, { org: 'local', validators }).problems.map(({ rule, path }) => `${rule} ${path}`);
}

const part = 'lifecycle: {part: true}\n';

describe('a manifest of a part (lifecycle.part)', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      ['routes of a port',
        'kind: domain\nname: shop.com\nspec: {ports: [{number: 443, routes: [{prefix: /a, workloadLink: //gvc/g/workload/w}]}]}'],
      ['a port', 'kind: domain\nname: shop.com\nspec: {ports: [{number: 8443, protocol: http2}]}'],
      ['members of a group', 'kind: group\nname: team\nmemberLinks: [//serviceaccount/bob]'],
      ['bindings and targets of a policy, without its existing ones',
        'kind: policy\nname: pol\ntargetLinks: [//gvc/g]\nbindings: [{permissions: [view], principalLinks: [//group/a]}]'],
      ['the fields that identify a policy', 'kind: policy\nname: pol\ntargetKind: gvc\ntargetLinks: [//gvc/g]'],
      ['variables, locations, pull secrets and tags',
        'kind: gvc\nname: gvc\ntags: {team: a}\nspec: {env: [{name: A, value: b}], staticPlacement: {locationLinks: [//location/aws-us-east-1]}, pullSecretLinks: [//secret/pull]}'],
    ],
  )('may contain %s', (_, text) => {
    expect(rules(part + text)).toEqual([]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ['a description', 'kind: gvc\nname: gvc\ndescription: mine', ['part.scalar description']],
      ['a field of an object', 'kind: gvc\nname: gvc\nspec: {loadBalancer: {dedicated: true}}',
        ['part.scalar spec.loadBalancer']],
      ['a scalar beside shared lists', 'kind: domain\nname: shop.com\nspec: {dnsMode: ns}',
        ['part.scalar spec.dnsMode']],
      ['a value that may be secret', 'kind: secret\nname: secret\ndata: {a: b}', ['part.scalar data']],
      ['a query', 'kind: policy\nname: pol\ntargetQuery: {spec: {terms: [{property: name, value: a}]}}',
        ['part.scalar targetQuery']],
      ['two items with one key', 'kind: gvc\nname: gvc\nspec: {env: [{name: A}, {name: A}]}', ['part.key spec.env.A']],
      ['an unknown field', 'kind: gvc\nname: gvc\nspec: {colour: red}', ['shape.unknown-field spec.colour']],
      ['an invalid item', 'kind: domain\nname: shop.com\nspec: {ports: [{number: 443, routes: [{prefix: /a}]}]}',
        ['shape.required spec.ports.443.routes."/a".workloadLink']],
      ['an item without its key', 'kind: gvc\nname: gvc\nspec: {env: [{value: b}]}', ['part.key spec.env.0']],
      ['an item of another type', 'kind: gvc\nname: gvc\nspec: {env: [5]}', ['shape.type spec.env.0']],
      ['two items with one key inside of an item',
        'kind: domain\nname: shop.com\nspec: {ports: [{number: 443, routes: [{prefix: /a, workloadLink: //gvc/g/workload/w}, {prefix: /a, workloadLink: //gvc/g/workload/w}]}]}',
        ['part.key spec.ports.443.routes."/a"']],
      ['items whose order has a meaning', 'kind: gvc\nname: gvc\nspec: {sidecar: {proxy: {network: [{name: a}]}}}',
        ['part.list spec.sidecar.proxy.network']],
      ['a list of another type', 'kind: gvc\nname: gvc\nspec: {env: text}', ['shape.type spec.env']],
      ['tags of Gantry', 'kind: gvc\nname: gvc\ntags: {gantry/stack: x}',
        [expect.stringContaining(' tags."gantry/stack"')]],
    ],
  )('may not contain %s', (_, text, expected) => {
    expect(rules(part + text)).toEqual(expect.arrayContaining(expected));
  });

  test('an item without its key is reported with the missing key', () => {
    const { documents } = parseManifestText({
      text: `${part}kind: gvc\nname: gvc\nspec: {env: [{value: b}]}`,
      file: 'a.yaml',
      format: 'yaml',
    });
    const { problems } = checkManifests(documents, { org: 'local', validators });
    expect(problems.find(({ rule }) => rule === 'part.key')?.hint).toBe('Give it its own name.');
  });

  const policy = 'kind: policy\nname: pol\nbindings: [{permissions: [view], principalLinks: [//group/a]}]';
  test.each(
    // biome-ignore format: a row is a case
    [
      ['gvc', 'spec.env.A.value', 'kind: gvc\nname: gvc\nspec: {env: [{name: A, value: b}]}', []],
      ['gvc', 'tags.team', 'kind: gvc\nname: gvc\ntags: {team: a}', []],
      ['group', 'memberLinks.0', 'kind: group\nname: team\nmemberLinks: [//serviceaccount/bob]',
        ['part.lifecycle lifecycle.sensitive.0']],
      ['group', 'memberLinks', 'kind: group\nname: team\nmemberLinks: [//serviceaccount/bob]', []],
      ['policy', 'bindings.0.permissions', policy, ['part.lifecycle lifecycle.sensitive.0']],
      ['policy', 'bindings.*.principalLinks.0', policy, ['part.lifecycle lifecycle.sensitive.0']],
      ['gvc', 'spec.env.B', 'kind: gvc\nname: gvc\nspec: {env: [{name: A, value: b}]}',
        ['manifest.path lifecycle.sensitive.0']],
    ],
  )('of a %s may mark items recorded by key, not those recorded by hash: %s', (_, path, text, expected) => {
    expect(rules(`lifecycle: {part: true, sensitive: ['${path}']}\n${text}`)).toEqual(expected);
  });

  test('may adopt items without an owner', () => {
    expect(rules('lifecycle: {part: true, adopt: true}\nkind: group\nname: team')).toEqual([]);
  });

  test.each([
    'protect: true',
    'retain: true',
    'replace: true',
    'previously: old',
    'handOver: a',
    'ignore: [spec]',
    'untyped: [spec.x]',
    'adopt: {from: a}',
  ])('leaves lifecycle.%s to the owner', (field) => {
    const [name = ''] = field.split(':');
    expect(rules(`lifecycle: {part: true, ${field}}\nkind: group\nname: team`)).toEqual([
      `part.lifecycle lifecycle.${name}`,
    ]);
  });

  test('the whole resource and a part of it belong to two stacks: one stack declares a resource once', () => {
    expect(rules(`kind: group\nname: team\n---\n${part}kind: group\nname: team`)).toEqual(['manifest.duplicate name']);
  });
});

test('the tag of a part contains its stack, also one of a GVC, with characters that a key may have', () => {
  expect(partTagOf('shop')).toBe('gantry/applied.shop');
  expect(partTagOf('shop.x1@eu')).toBe('gantry/applied.shop.x1/eu');
  expect(ownerOfPartTag('gantry/applied.shop.x1/eu')).toBe('shop.x1@eu');
  expect(ownerOfPartTag('gantry/applied')).toBeUndefined();
  expect(partTagOf('a'.repeat(113))).toHaveLength(128);
  expect(partTagOf('a'.repeat(114))).toBeUndefined();
});
