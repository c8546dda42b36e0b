import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { listAt, objectAt } from '../../../src/base/json/json.ts';
import { commandNamed, commandNames } from '../../cli/helpPages.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/**
 * The command lines of Gantry in a document, without variables, comments and `npx`: in its shell blocks, and in its
 * sentences.
 */
function linesOf(document: string): readonly string[] {
  const text = read(document);
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const inSentences = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`(gantry [^`]+)`/g)];
  return [...blocks.flatMap((block) => block.split('\n')), ...inSentences.map(([, line = '']) => line)]
    .map((line) => /^(?:[A-Z_]+=\S+ )*(?:npx )?gantry ((?:[^#"]|"[^"]*")*)/.exec(line)?.[1]?.trim())
    .filter((line) => line !== undefined);
}

/** The words of a line that the command line does not know. */
function unknownIn(line: string): readonly string[] {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const [first = '', second = '', ...rest] = words;
  const isSub = commandNames.includes(`${first} ${second}`);
  const args = isSub ? rest : words.slice(1);
  const command = commandNamed(`${first} ${isSub ? second : 'run'}`);
  if (command === undefined) return [line];
  const { operands, unknown } = command.parseOptions([...args]);
  const isTooMany = operands.length > command.registeredArguments.length;
  return [...unknown, ...(isTooMany ? operands : [])];
}

const documents = ['', '-sources', '-page', '-sign-in'].map((part) => `docs/reconcile${part}.md`);

test.each([...documents, 'examples/fleet/README.md'])('the command lines of %s exist', (document) => {
  expect(linesOf(document).flatMap(unknownIn)).toEqual([]);
});

test('the documents contain command lines, and a wrong one is found', () => {
  expect(linesOf('docs/reconcile.md')).toEqual(
    expect.arrayContaining(['reconcile --embedded --http', 'reconcile pause', 'reconcile approve shop']),
  );
  expect(linesOf('examples/fleet/README.md').length).toBeGreaterThan(0);
  expect(unknownIn('reconcile approve shop --plann x')).toEqual(['--plann', 'x']);
  expect(unknownIn('reconcile stauts')).toEqual(['stauts']);
});

test('the units of systemd and Kubernetes start workers with existing options', () => {
  const [, ofUnit = ''] =
    /^ExecStart=\S+ (.*)$/m.exec(read('examples/fleet/operations/gantry-reconcile.service')) ?? [];
  const [deployment] = loadAll(read('examples/fleet/operations/kubernetes.yaml'));
  const template = objectAt(objectAt(deployment as never, 'spec'), 'template');
  const [container] = listAt(objectAt(template, 'spec'), 'containers');
  const ofPod = listAt(container as never, 'args').join(' ');
  for (const line of [ofUnit, ofPod]) {
    expect(line).toMatch(/^reconcile --config=\S+ --data=/);
    expect(unknownIn(line)).toEqual([]);
  }
});
