import { describe } from 'vitest';
import { testStories } from '../harness/stories.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const account = 'serviceaccount/@';
const keyFor = (description = 'pipeline') => `"\${live.serviceaccount/@:keys.${description}.key}"`;
const output = (value = keyFor(), file = 'it.key', name = 'token') =>
  `output/${name} value: ${value}, saveTo: {file: ${file}}`;
const secret = (payload = keyFor(), more = '') =>
  `secret/@-key type: opaque, ${more}data: {payload: ${payload}, encoding: plain}`;

/** Whether the platform accepts a token as a key. */
const isKey = (token: string) => `$ GANTRY_TOKEN=${token} gvc get ! no api.unauthorized`;
const isNone = (token: string) => `$1 GANTRY_TOKEN=${token} gvc get ! api.unauthorized`;
const revealed = (pattern: string) => `secret/@-key/-reveal has /"payload":"${pattern}"/`;
const nameOfKey = 'serviceaccount/@ has /"keys":\\[\\{[^}]*"name":"(?<key>[^"]+)"/';

// biome-ignore format: a row is a story
describe('a new key of a service account', () => testStories(platform, 'file', [
  ['is written to a private file, and is shown nowhere', `
    writes ${account} & ${output()}
    $ plan . --out it.plan
      > a new key of serviceaccount/@ for pipeline: shown once, and saved to the file it.key (output token)
    files are gantry.yaml, it.plan, stack.yaml
    $ apply . --yes > the output token is in the file it.key, and is not shown again
    it.key is private
    it.key has /^(?<value>.+)$/
    ${isKey('<value>')}
    ${isNone('none')}
    serviceaccount/@ has keys: [{description: pipeline}]
    $ apply . --yes -o json > no "saves"
    it.key has /^<value>$/
    serviceaccount/@ has keys: [{description: pipeline}]
    $ output . -o json --reveal
    nothing shows <value>
    it.plan has no <value>`],
  ['is made for an existing account, and another one for another description', `
    applies ${account}
    applies ${account} & ${output(keyFor('one'), 'one.key')}
    applies ${account} & ${output(keyFor('two'), 'two.key')}
    one.key has /^(?<one>.+)$/
    two.key has no <one>
    serviceaccount/@ has keys: [{description: one}, {description: two}]
    $ plan . > No changes`],
  ['is not made if the file exists: it is not overwritten, and nothing is changed', `
    writes ${account} & ${output()}
    it.key is mine
    $1 apply . --yes ! output.file
    it.key has /^mine\\n$/
    serviceaccount/@ is absent`],
  ['is not made if the folder of its file does not exist, which the error names', `
    writes ${account} & ${output(keyFor(), 'none/key')}
    $1 apply . --yes ! saved to none/key, which cannot be made: its folder does not exist; nothing was changed
      ! Make the folder, or name another file in saveTo.
    serviceaccount/@ is absent`],
  ['is not made for a file of another output, which is detected before anything runs', `
    writes ${account} & ${output(keyFor('one'))} & ${output(keyFor('two'), './it.key', 'other')}
    $1 apply . --yes ! output.save - the output token is saved to this file, too
    serviceaccount/@ is absent`],
  ['is not made for a file that was written during the run through another name of its folder', `
    here links to .
    writes ${account} & ${output(keyFor('one'))} & ${output(keyFor('two'), 'here/it.key', 'other')}
    $5 apply . --yes > which something else changed while the plan ran; it was not written
    serviceaccount/@ has keys: [{description: one}]
    it.key has /^(?<value>.+)$/
    ${isKey('<value>')}`],
  ['is described by gantry output as shown once, before and after it is made', `
    writes ${account} & ${output()}
    ${['output .', 'apply . --yes', 'output .'].map((command) => `$ ${command}
      > token (no value: it is shown once, when it is made, and saved to it.key then)`).join('\n')}`],
]));

// biome-ignore format: a row is a story
describe('a secret takes a new key', () => testStories(platform, 'taken', [
  ['when it is created, and keeps it', `
    writes ${account} & ${secret()}
    $ plan . > note: known after apply: keys.pipeline.key of serviceaccount/@
    $ apply . --yes
    ${revealed('(?<value>[^"]+)')}
    nothing shows <value>
    ${isKey('<value>')}
    applies ${account} & ${secret(keyFor(), 'description: new, ')} -- --verify=full
    ${revealed('<value>')}
    serviceaccount/@ has keys: [{description: pipeline}]
    $ plan . > No changes
    $ drift . > no data`],
  ['again if the key is removed or its description changes, which rotates keys', `
    applies ${account} & ${secret()}
    ${revealed('(?<first>[^"]+)')}
    ${nameOfKey}
    $ serviceaccount remove-key @ --key <key>
    $ plan . > /data.*\\(sensitive, changed\\)/
    $ apply . --yes
    ${revealed('(?!<first>)(?<second>[^"]+)')}
    ${isKey('<second>')}
    ${isNone('<first>')}
    applies ${account} & ${secret(keyFor('next'))}
    ${revealed('(?!<second>)(?<third>[^"]+)')}
    ${isKey('<third>')}
    ${isKey('<second>')}
    $ plan . > No changes`],
  ['and a file has the same key', `
    applies ${account} & ${secret()} & ${output()}
    it.key has /^(?<value>.+)$/
    ${revealed('<value>')}
    serviceaccount/@ has keys: [{description: pipeline}]`],
  ['but not one that cannot be read again, which is refused before anything is written', `
    applies ${account}
    $ serviceaccount add-key @ --description pipeline
    ${nameOfKey}
    writes ${account} & ${secret()}
    $3 plan .
      > refused live.once: it takes keys.pipeline.key of serviceaccount/@, which was shown when it was made
      > gantry serviceaccount remove-key @ --key <key>, and apply again: that makes another key`],
  ['in a rehearsal, and from a saved plan, which recognises that it is done', `
    writes ${account} & ${secret()}
    $ plan . --rehearse --out it.plan
    $ apply it.plan --yes
    ${revealed('(?<value>[^"]+)')}
    ${isKey('<value>')}
    $ apply it.plan --yes > Everything in this plan is done`],
  ['in a rehearsal with interruptions, in which a value may be lost', `
    writes ${account} & ${secret()}
    $ plan . --rehearse=crash`],
  ['and an empty file of a killed run is reported, with the command for another value', `
    applies ${account} & ${output()}
    it.key is empty
    ${nameOfKey}
    $ plan . > the value of the output token is lost: a run ended before it was written to it.key.
      > Run gantry serviceaccount remove-key @ --key <key>, and apply again`],
]));

const config = (path = '', of = '@') => `"\${live.agent/${of}:status.bootstrapConfig${path}}"`;

// biome-ignore format: a row is a story
describe('the bootstrap configuration of an agent', () => testStories(platform, 'agent', [
  ['is written to a file as JSON, and its token to a secret', `
    applies agent/@ & ${output(config())} & ${secret(config('.registrationToken'))}
    it.key has "/org/local/agent/@"
    it.key has /"registrationToken": ?"(?<value>[^"]+)"/
    ${revealed('<value>')}
    nothing shows <value>
    $ plan . > No changes`],
  ['of an existing agent is lost', `
    applies agent/@
    writes agent/@ & ${secret(config('.registrationToken'))}
    $3 plan . > gantry agent delete @, and apply again: that makes it anew`],
]));

// biome-ignore format: a row is a case
describe('a value that is shown once is refused in', () => testStories(platform, 'wrong', [
  ['a field of another record', `group/@ description: ${keyFor()}`, 'live.once'],
  ['an output without a file', `output/token value: ${keyFor()}`, 'live.once'],
  ['a file, if the value can be read again', output(`"\${live.serviceaccount/@:description}"`), 'output.save'],
  ['another stack', secret(`"\${live.serviceaccount/far:keys.pipeline.key}"`), 'live.elsewhere'],
  ['a file of another stack', output(config('', 'far')), 'live.elsewhere'],
].map(([it = '', document, rule]) => [it, `writes ${account} & ${document}\n$1 validate . > ${rule}`])));
