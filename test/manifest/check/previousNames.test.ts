import { describe, expect, test } from 'vitest';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { checkManifests } from '../../../src/manifest/checkManifests.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';

const validators = await loadValidators(['group']);

function problems(text: string): readonly string[] {
  const { documents } = parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
  return checkManifests(documents, { org: 'local', validators }).problems.map(
    ({ position, rule, message }) => `${position.line}:${position.column} ${rule} ${message}`,
  );
}

const group = (name: string, lifecycle: string) => `kind: group\nname: ${name}\nlifecycle: {${lifecycle}}\n`;

describe('lifecycle.previously and lifecycle.handOver in manifests', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'an old name that is not declared is valid', text: group('new', 'previously: old'), expected: [] },
      { it: 'both names declared', text: `${group('new', 'previously: old')}---\n${group('old', '')}`,
        expected: ['3:25 manifest.previously group/old is also declared, so it is not renamed'] },
      { it: 'two resources with one old name',
        text: `${group('new', 'previously: old')}---\n${group('newer', 'previously: old')}`,
        expected: ['7:25 manifest.previously group/new also has group/old as its previous name'] },
      { it: 'its own name', text: group('new', 'previously: new'),
        expected: ['3:25 manifest.previously the old name and the new name are the same'] },
      { it: 'a stack to hand over to', text: group('new', 'handOver: other.project'), expected: [] },
      { it: 'no stack to hand over to', text: group('new', 'handOver: true'),
        expected: ['3:23 shape.type lifecycle.handOver must be the name of the stack that takes it over'] },
      { it: 'a resource that is handed over cannot have an old name, which would be deleted',
        text: group('new', 'handOver: other, previously: old'),
        expected: [
          '3:42 manifest.hand-over lifecycle.previously cannot be combined with lifecycle.handOver, which releases the resource'] },
      { it: 'a resource that is handed over and adopted', text: group('new', 'handOver: other, adopt: {from: third}'),
        expected: [
          '3:30 manifest.hand-over lifecycle.adopt cannot be combined with lifecycle.handOver, which releases the resource'] },
    ],
  )('$it', ({ text, expected }) => {
    expect(problems(text)).toEqual(expected);
  });
});
