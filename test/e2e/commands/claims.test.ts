import { describe } from 'vitest';
import { type Life, testLives } from '../harness/lives.ts';

/** The owners of tags and fields after adoption, undo, replacement and rename. */

const rules = (...names: readonly string[]): string =>
  `rules: [${names.map((name) => `{name: ${name}, v: 1}`).join(', ')}]`;
const member = (name: string): string => `memberLinks: [//serviceaccount/${name}]`;
const members = (name: string): string => `memberLinks: [/org/local/serviceaccount/${name}]`;
const web = (type: string, more = ''): string =>
  `spec: {type: ${type}, containers: [{name: main, image: "r.example.com/m:1", ports: [{number: 8080}]}]${more}}`;
const location = '//location/aws-eu-central-1';
const options = (seconds: number): string => `localOptions: [{location: ${location}, timeoutSeconds: ${seconds}}]`;

describe('an undo restores values and claims', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['of an adoption: existing tags stay', 'group', `
      person makes tags: {team: a, cost: "7"}
      base keeps tags: {team: a, cost: "7", new: x} -- --adopt
      it has tags: {team: a, cost: "7", new: x}
      base undoes
      it has all tags: {team: a, cost: "7"}`],
    ["of a person's tag that was overwritten: its value and owner are restored", 'group', `
      base applies description: one
      person sets tags: {cost: human}
      base keeps description: one, tags: {cost: mine}
      it has tags: {cost: mine}
      base undoes
      it has tags: {cost: human}
      base applies description: two
      it has tags: {cost: human}`],
    ['of an existing field of a custom kind that the plan declared: it stays', 'widget', `
      base applies spec: {a: 1}
      person sets spec: {b: 2}
      base keeps spec: {a: 5, b: 2}
      base undoes
      it has spec: {a: 1, b: 2}
      base applies spec: {a: 6}
      it has spec: {a: 6, b: 2}`],
    ['of a claim on an item of another stack: the claim ends, and the item stays', 'group', `
      base applies
      first applies part: true, tags: {cost: "7"}
      second keeps part: true, tags: {cost: "7"}
      second undoes
      it has tags: {cost: "7"}
      first rests
      first goes
      it has tags: {}`],
  ]);
});

describe('a claim covers the value that was written, not later values of the same name', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['a tag that a person sets again after its claim ended stays, and the plan names the person', 'group', `
      base applies tags: {cost: "7", team: a}
      person sets tags: {cost: null}
      base writes tags: {team: a}
      base rests
      person sets tags: {cost: "7"}
      base 0: plan . => tags\\.cost stays: .+ set it after this stack did, in version
      base keeps description: new, tags: {team: a}
      it has tags: {cost: "7", team: a}
      base 0: plan . => no cost`],
    ['the audit trail is read only if others wrote since and the plan would remove something', 'group', `
      base applies tags: {cost: "7", team: a}
      base asks 0 tags: {team: a}
      person sets tags: {other: x}
      base asks 0 tags: {cost: "7", team: a}
      base asks 1 tags: {team: a}
      base applies tags: {team: a}
      it has tags: {team: a, other: x}`],
    ['a field of a custom kind that a person sets again stays too', 'widget', `
      base applies spec: {a: 1, b: 2, c: 3}
      person sets spec: {b: null}
      person sets spec: {b: 2}
      base applies spec: {a: 1}
      it has spec: {a: 1, b: 2}`],
  ]);
});

describe('a part of another stack', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['is not overwritten by a replacement with another value, which is refused like a patch', 'workload@parts', `
      person makes gvc/parts
      base applies ${web('serverless')}
      other applies part: true, tags: {cost: "7"}
      base cannot ${web('serverless')}, tags: {cost: "8"} => part.conflict
      base cannot ${web('stateful')}, tags: {cost: "8"} => part.conflict
      base applies ${web('stateful')}, tags: {cost: "7"}
      it shows tags: {cost: "7"}
      other rests
      other goes
      it shows tags: {cost: "7"}`],
    ['with location options is not overwritten by a replacement, but is kept by it',
      'workload@places', `
      person makes gvc/places spec: {staticPlacement: {locationLinks: [${location}]}}
      base applies ${web('serverless')}
      other applies part: true, tags: {cost: "7"}, spec: {${options(20)}}
      base cannot ${web('serverless', `, ${options(9)}`)} => part.conflict
      base cannot ${web('serverless')}, tags: {cost: "8"} => part.conflict
      base cannot ${web('stateful', `, ${options(9)}`)} => part.conflict
      base cannot ${web('stateful')}, tags: {cost: "8"} => part.conflict
      base applies ${web('stateful')}
      it shows spec: {type: stateful, localOptions: [{timeoutSeconds: 20}]}, tags: {cost: "7"}
      other goes
      it has spec.localOptions: null, tags.cost: null`],
    ['is not kept by a rename: its value and its claim are dropped', 'group', `
      base applies
      person sets tags: {human: x}
      other applies part: true, tags: {cost: "7"}
      base writes previously: true
      base 3: plan . => it would also delete parts that belong to @other
      base 0: apply . --yes --allow-collateral 1
      it has tags: {human: x}, parts: null`],
    ['of a custom kind can only be tags and keyed items: anything else is an error', 'widget', `
      base applies rules: [{name: a}]
      other writes part: true, spec: {mine: 1}
      other 1: plan . => part\\.scalar
      other applies part: true, tags: {t: x}, rules: [{name: b}]
      it has rules: [{name: a}, {name: b}]`],
  ]);
});

describe('an item of a list of a custom kind', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['is deleted if the stack declared it and kept if a person added it, with or without the list declared', 'widget', `
      base applies ${rules('r1', 'r2')}
      person sets ${rules('r1', 'r2', 'r9')}
      base rests
      base applies ${rules('r2')}
      it has ${rules('r2', 'r9')}
      base 0: explain . widget/@it => Nothing differs
      base applies description: none
      it has ${rules('r9')}
      base 0: explain . widget/@it => Nothing differs
      base applies ${rules('r1')}, size: 2
      it has ${rules('r9', 'r1')}
      base applies ${rules('r1')}, size: 3
      it has ${rules('r9', 'r1')}`],
    ['is removed by an undo if it is new; an item of a part stays', 'widget', `
      base applies ${rules('r1')}
      other applies part: true, ${rules('r2')}
      base keeps ${rules('r1', 'r3')}
      it has ${rules('r1', 'r2', 'r3')}
      base undoes
      it has ${rules('r1', 'r2')}
      base writes ${rules('r1')}
      base rests
      other rests`],
    ['of a part is not kept by a rename', 'widget', `
      base applies ${rules('r1')}
      person sets ${rules('r1', 'r9')}
      other applies part: true, ${rules('r2')}
      base applies previously: true, ${rules('r1')} -- --allow-collateral=1
      it has ${rules('r1', 'r9')}`],
  ]);
});

describe('an undo of a change of claims', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['leaves a tag that a person overwrote, even when the code later drops it', 'group', `
      base applies tags: {t: mine}
      person sets tags: {t: human}
      base keeps tags: {u: x}
      base undoes
      it has tags: {t: human}
      base applies
      it has tags: {t: human}`],
    ['of a rename leaves a tag that a person overwrote, in the recreated record', 'group', `
      base applies tags: {t: mine}
      person sets tags: {t: human}
      base keeps previously: true
      base undoes
      base applies description: more
      it has tags: {t: human}`],
    ['restores a claim that passed to a part: the old code plans nothing, and the owner has the item again',
      'group', `
      person makes serviceaccount/bea
      base applies ${member('bea')}
      other applies part: true, ${member('bea')}
      base keeps
      base undoes
      base writes ${member('bea')}
      base rests
      other rests
      other goes
      it has ${members('bea')}`],
    ['leaves an item of a person, although the owner declared it meanwhile together with a part', 'group', `
      person makes serviceaccount/cyd
      base applies
      person sets ${members('cyd')}
      other applies part: true, ${member('cyd')}
      base keeps description: more, ${member('cyd')}
      base undoes
      other goes
      it has ${members('cyd')}`],
    ['releases the claim on an item of a part, which is then deleted with that part', 'group', `
      person makes serviceaccount/ann
      base applies tags: {own: x}
      other applies part: true, tags: {cost: "7"}, ${member('ann')}
      base keeps tags: {own: x, cost: "7"}, ${member('ann')}
      base undoes
      other goes
      it has tags: {own: x}, memberLinks: null`],
    ['releases a claim on a single item, as it was before', 'group', `
      person makes serviceaccount/ian
      base applies
      other applies part: true, ${member('ian')}
      it is marked
      base keeps ${member('ian')}
      base undoes
      it is marked as before
      other goes
      it has memberLinks: null`],
    ['releases values that a part had adopted and restores the former ones', 'gvc', `
      person makes spec: {env: [{name: A, value: "1"}]}, tags: {t: human}
      other keeps part: true, adopt: true, tags: {t: "2"}, spec: {env: [{name: A, value: "2"}, {name: B, value: "1"}]}
      other undoes
      it has all tags: {t: human}, spec.env: [{name: A, value: "1"}]`],
  ]);
});

describe('a hand-over', () => {
  // biome-ignore format: a row is a life
  testLives([
    ...[['old', 'new'], ['new', 'old']].map(([first, second]): Life => [
      `moves the claims: a value of the old stack is deleted when the new one drops it (${first} first)`, 'group', `
      old applies tags: {cost: "7", team: a}
      person sets tags: {human: x}
      new writes tags: {cost: "7", team: a}, adopt: {from: @old}
      old writes tags: {cost: "7", team: a}, handOver: @new
      ${first} 0: apply . --yes
      ${second} 0: apply . --yes
      old rests
      new rests
      new applies tags: {team: a}
      it has tags: {team: a, human: x}`]),
    ['that is released has no owner for other stacks, and the undo of their adoption keeps it released', 'group', `
      old applies tags: {cost: "7"}
      old applies handOver: @heir
      stranger keeps tags: {cost: "7"}, adopt: true
      stranger undoes
      heir applies adopt: {from: @old}
      it has tags: {}`],
    ['leaves a tag that a person overwrote, also after the undo of another adoption', 'group', `
      old applies tags: {cost: "7"}
      person sets tags: {cost: human}
      old applies handOver: @heir
      stranger keeps description: x, adopt: true
      stranger undoes
      heir applies adopt: {from: @old}
      it has tags: {cost: human}`],
    ['by lifecycle.retain leaves everything without an owner', 'group', `
      base applies tags: {cost: "7"}, retain: true
      base goes
      it has all tags: {cost: "7"}
      next applies adopt: true
      it has tags: {cost: "7"}`],
  ]);
});

describe('an ignored item of a list', () => {
  const a = '{name: A, value: "1"}';
  const b = '{name: B, value: "1"}';
  // biome-ignore format: a row is a life
  testLives(
    [['beside another one', [a, b], [b]], ['that is the only one', [a], []]].map(([which, env, left]): Life => [
      `is used on creation only, even if somebody has removed it: ${which}`, 'gvc', `
      base applies ignore: [spec.env.A], spec: {env: [${env}]}
      it has spec.env: [${env}]
      person sets spec: {env: [${left}]}
      base rests
      base 0: apply . --yes
      it has spec.env: [${left}]
      base goes`]),
  );
});
