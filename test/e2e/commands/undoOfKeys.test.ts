import { describe } from 'vitest';
import { testStories } from '../harness/stories.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const keyFor = (description: string) => `"\${live.serviceaccount/@:keys.${description}.key}"`;
const account = 'serviceaccount/@';
const toFile = `output/token value: ${keyFor('pipeline')}, saveTo: {file: it.key}`;
const toSecret = `secret/@-key type: opaque, data: {payload: ${keyFor('deploy')}, encoding: plain}`;
const toBoth = `${toFile} & ${toSecret}`;
/** A stack with a key, after the apply of a saved plan. */
const applied = (documents: string) => `plans ${account} & ${documents}\n$ apply it.plan --yes > no somebody else`;

// biome-ignore format: a row is a story
testStories(platform, 'lost', [
  ['a key whose value was lost is not reported as a write of others, and not made again by the same plan', `
    plans ${account} & ${toSecret}
    POST secret is refused: $5 apply it.plan --yes > no somebody else
    serviceaccount/@ has /"keys":\\[\\{[^}]*"name":"(?<key>[^"]+)"/
    $3 apply it.plan --yes > serviceaccount remove-key @ --key <key>
    serviceaccount/@ has keys: [{name: <key>}]
    $ serviceaccount remove-key @ --key <key>
    $ apply it.plan --yes
    secret/@-key has name: @-key`],
]);

// biome-ignore format: a row is a story
describe('the undo of a plan that made a key', () => testStories(platform, 'keys', [
  ...[['a file', toFile], ['a secret', toSecret], ['both', toBoth]].map(([which, documents = '']): readonly [string, string] =>
    [`for ${which}, and its account, deletes both`, `
    ${applied(documents)}
    $ undo it.plan --out back.plan > serviceaccount/@
    $ apply back.plan --yes
    serviceaccount/@ is absent
    secret/@-key is absent`]),
  ['names what it leaves: the key of an older account, and the file', `
    applies ${account}
    ${applied(toBoth)}
    serviceaccount/@ has keys: [{}, {}]
    $ undo it.plan --out back.plan --rehearse > left as it is: the file it.key (output token)
      > left as it is: the key of serviceaccount/@ for pipeline; gantry serviceaccount remove-key @ --key
      > left as it is: the key of serviceaccount/@ for deploy; gantry serviceaccount remove-key @ --key
      > /for pipeline;\\s+gantry\\s+serviceaccount\\s+remove-key\\s+\\S+\\s+--key\\s+(?<one>\\S+)\\s+removes it/
      > /for deploy;\\s+gantry\\s+serviceaccount\\s+remove-key\\s+\\S+\\s+--key\\s+(?<two>\\S+)\\s+removes it/
    $ apply back.plan --yes
    $ serviceaccount get @ -o json = keys: [{}, {}]
    serviceaccount/@ has /"name":"<one>"[^}]*"description":"pipeline"|"description":"pipeline"[^}]*"name":"<one>"/
    serviceaccount/@ has /"name":"<two>"[^}]*"description":"deploy"|"description":"deploy"[^}]*"name":"<two>"/
    secret/@-key is absent
    files are back.plan, gantry.yaml, it.key, it.plan, stack.yaml`],
  ...[['a file', toFile], ['a secret', toSecret]].map(([which, documents]): readonly [string, string] =>
    [`is no drift of its account, unlike a key that another client made: for ${which}`, `
    applies ${account} & ${documents}
    $ drift . > no others
    POST serviceaccount/@/-addKey description: of a stranger
    $ drift . > serviceaccount/@ (version 3, this stack wrote 1)`]),
  ['does not hide writes of others after a key was made', `
    applies ${account} description: one & ${toFile}
    applies ${account} description: two & ${toFile}
    $ drift . > No drift: 1 unchanged.
    PATCH serviceaccount/@ description: of a stranger
    $ drift . > of a stranger > serviceaccount/@`],
  ['does not hide a second key with the same description', `
    applies ${account} & ${toFile}
    POST serviceaccount/@/-addKey description: pipeline
    $ drift . > serviceaccount/@ (version 3, this stack wrote 1)`],
  ['is refused if another client has written to the account since, or made another key', `
    ${applied(toFile)}
    POST serviceaccount/@/-addKey description: of a stranger
    $4 undo it.plan ! serviceaccount/@: it was at version 1, now it is at 3`],
]));
