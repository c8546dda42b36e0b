import { describe, expect, test } from 'vitest';
import { withArticle } from '../../src/base/text/article.ts';
import type { CommandRow } from '../../src/commands/call/command.ts';
import { allRows } from '../../src/commands/table/rows.ts';
import type { OptionRow } from '../../src/kinds/common/client.ts';
import { isGvcScoped, type Kind, kindNamed } from '../../src/schema/record/kinds.ts';
import { sampled } from '../harness/sampled.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useServer } from './useServer.ts';

const rows = [...(await allRows())];
let sent: string[] = [];
const run = useServer(temporaryFolder('other-records'), (request, response) => {
  sent.push(`${request.method} ${request.url}`);
  response.writeHead(500).end('{}');
});
const options = { input: '{}', env: { EDITOR: 'true' } };

/**
 * Every command parses its REFs with `readRef` (test/schema/readRef.test.ts has all forms), so each place is tried with
 * a few.
 */
const wrongPaths = ['//gvc/shop/-schema', '/etc/passwd', '//gvc/..'];

/** The arguments that a command requires before it parses its REFs, by verb. */
const needed: Readonly<Record<string, readonly string[]>> = {
  create: ['--name', 'some-name'],
  tag: ['--tag', 'a=b'],
  update: ['--set', 'description=new'],
  'add-member': ['--email', 'ann@example.com'],
  'remove-member': ['--email', 'ann@example.com'],
};

/** A place on a command line that takes a REF, and the words with a REF in that place. */
interface Place {
  readonly it: string;
  readonly kinds: readonly Kind[];
  readonly words: (ref: string) => readonly string[];
}

function flagOf({ flags }: OptionRow): string {
  return flags.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? '';
}

/** The values that required options need. */
function required(options: readonly OptionRow[], but?: OptionRow): readonly string[] {
  return options.flatMap((option) => {
    if (option.required !== true || option === but) return [];
    const value = option.choices?.[0] ?? (option.valueType === undefined ? '-' : '1');
    return [flagOf(option), option.names === undefined ? value : 'some-name'];
  });
}

function argumentsOf({ args = [] }: CommandRow): readonly string[] {
  return args.filter((arg) => arg.startsWith('<')).map(() => 'some-name');
}

function placesIn(noun: Kind, row: CommandRow): readonly Place[] {
  const { verb, args = [], options = [] } = row;
  const line = [noun, ...verb.split(' '), ...(needed[verb] ?? [])];
  const argument: readonly Place[] =
    args.length === 0
      ? []
      : [{ it: args.join(' '), kinds: [noun], words: (ref) => [...line, ref, ...required(options)] }];
  const ofOptions = options.flatMap((option): readonly Place[] => {
    const { names } = option;
    if (names === undefined) return [];
    const forms = [(ref: string) => ref, (ref: string) => `${ref},keep`, (ref: string) => `/=${ref}:80`];
    const form = forms.find((each) => (names.refIn ?? ((value) => value))(each('//gvc/g')) === '//gvc/g');
    if (form === undefined) throw new Error(`${flagOf(option)} has no value with a REF`);
    const target = ['--target-kind', 'secret'];
    return [
      {
        it: flagOf(option),
        kinds: names.kinds === '--target-kind' ? ['secret'] : names.kinds,
        words: (ref) => [
          ...line,
          ...argumentsOf(row),
          ...required(options, option),
          ...(names.kinds === '--target-kind' ? target : []),
          flagOf(option),
          form(ref),
        ],
      },
    ];
  });
  return [...argument, ...ofOptions];
}

const others = ['gvc', 'secret', 'workload', 'image'] as const;

function hrefOf(kind: Kind, start: string, gvc = 'shop'): string {
  if (kind === 'org') return start === '/' ? '/org/acme' : start;
  return isGvcScoped(kind) ? `${start}/gvc/${gvc}/${kind}/victim` : `${start}/${kind}/victim`;
}

async function refused(words: readonly string[], says: string): Promise<string | undefined> {
  sent = [];
  const { code, stderr } = await run([...words, '--gvc', 'shop'], options);
  const isRefused = code === 64 && sent.length === 0 && stderr.includes(says);
  return isRefused ? undefined : `gantry ${words.join(' ')}: ${code} ${sent.join(', ')} ${stderr}`;
}

describe.each(rows.flatMap(([noun, ofNoun]) => (kindNamed(noun) === undefined ? [] : [{ noun, ofNoun }])))(
  'gantry $noun',
  ({ noun, ofNoun }) => {
    const kind = kindNamed(noun);
    if (kind === undefined) throw new Error(`${noun} is not a kind`);

    const places = ofNoun.flatMap((row) => placesIn(kind, row).map((place) => ({ verb: row.verb, ...place })));
    test.each(places.map((place, index) => ({ ...place, index })))(
      '$verb $it sends nothing for a link to another kind, org or GVC, and says what is expected',
      async ({ kinds, words, index }) => {
        const start = index % 2 === 0 ? '/' : '/org/acme';
        const wrong: (string | undefined)[] = [];
        const wrongKinds = others.filter((each) => !kinds.includes(each));
        for (const other of sampled(wrongKinds, index % wrongKinds.length)) {
          wrong.push(await refused(words(hrefOf(other, start)), `is a link to ${withArticle(other)}, not to `));
        }
        for (const each of kinds) {
          wrong.push(await refused(words(hrefOf(each, '/org/other')), 'is in the org other, not in acme'));
          if (!isGvcScoped(each)) continue;
          wrong.push(await refused(words(hrefOf(each, '/', 'other')), 'is in the GVC other, not in shop'));
        }
        wrong.push(await refused(words(wrongPaths[index % wrongPaths.length] ?? ''), 'is not a valid link to '));
        expect(wrong.filter((each) => each !== undefined)).toEqual([]);
      },
    );
  },
);

const wrongGvcs = ['//secret/victim', '/org/other/gvc/shop', '//gvc/shop/workload/victim'];

test('a --gvc that names no GVC of the org is refused by every command before anything is sent', async () => {
  const commands = rows.flatMap(([noun, ofNoun]) =>
    kindNamed(noun) === undefined ? [] : ofNoun.map((row) => ({ noun, row })),
  );
  const wrong: string[] = [];
  for (const [index, { noun, row }] of commands.entries()) {
    const line = [noun, ...row.verb.split(' '), ...(needed[row.verb] ?? [])];
    for (const gvc of sampled(wrongGvcs, index % wrongGvcs.length)) {
      sent = [];
      const words = [...line, ...argumentsOf(row), ...required(row.options ?? []), '--gvc', gvc];
      const { code, stderr } = await run(words, options);
      const isRefused = code === 64 || stderr.includes('error settings.gvc: ');
      if (!isRefused || sent.length > 0) wrong.push(`${words.join(' ')}: ${code} ${sent} ${stderr}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Names of things that are no record: parts of a record, permissions, and new names. */
const notRecords = [
  '--container',
  '--container-name',
  '--key',
  '--name',
  '--permission',
  '--replica',
  '--snapshot-name',
  '--zone',
];

test('every option that takes a name or a link declares which records it names', () => {
  const all = rows.flatMap(([, ofNoun]) => ofNoun.flatMap(({ options: own = [] }) => own));
  const unsaid = all.filter(
    ({ flags, names, choices }) =>
      names === undefined && choices === undefined && /<(?:name|ref|link|who|address|workload)/.test(flags),
  );
  expect([...new Set(unsaid.map(flagOf))].toSorted()).toEqual(notRecords);
});

test('every argument of a command on a kind is a REF', () => {
  const args = rows.flatMap(([noun, ofNoun]) =>
    kindNamed(noun) === undefined ? [] : ofNoun.flatMap((row) => row.args ?? []),
  );
  expect([...new Set(args)].toSorted()).toEqual(['<id>', '<ref...>', '<ref>', '[ref...]', '[ref]']);
});
