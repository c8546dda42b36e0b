import { describe } from 'vitest';
import { testLives } from '../harness/lives.ts';

/** A value set by a person stays theirs when a stack declares the same value (law 1), and renames keep it (law 5). */

/** `r1: 2` is the rule with that name and value. */
const rules = (...items: readonly string[]): string =>
  `rules: [${items.map((item) => `{name: ${item.replace(':', ', v:')}}`).join(', ')}]`;
/** `A: 2` is the variable with that name and value. */
const env = (...items: readonly string[]): string =>
  `env: [${items.map((item) => `{name: ${item.replace(/: (.*)/, ', value: "$1"')}}`).join(', ')}]`;
const binding = (permission: string, account: string): string =>
  `bindings: [{permissions: [${permission}], principalLinks: [//serviceaccount/${account}]}]`;
const containers = 'containers: [{name: main, image: "r.example.com/m:1", ports: [{number: 8080}]}]';
const web = (type: string): string => `replace: true, wait: false, spec: {type: ${type}, ${containers}}`;

describe('a field of a custom kind that a person set stays when the code no longer declares it', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['although the stack adopted the record and declared the same value', 'widget', `
      base writes
      person makes spec: {a: 1, rules: [{name: r1, v: 1}]}
      base applies spec: {a: 1, b: 2, ${rules('r1: 1', 'r2: 2')}} -- --adopt
      base applies spec: {c: 3}
      it has spec: {a: 1, c: 3, ${rules('r1: 1')}}`],
    ['although a later version of the code declared the same value', 'widget', `
      base applies spec: {b: 1}
      person sets spec: {a: 1}
      base applies spec: {a: 1, b: 2}
      base applies spec: {b: 3}
      it has spec: {a: 1, b: 3}`],
    ["although the stack had set another value before, and later declared the person's value", 'widget', `
      base applies spec: {a: 1, b: 1}
      person sets spec: {a: 2}
      base applies spec: {a: 2, b: 2}
      base applies spec: {b: 3}
      it has spec: {a: 2, b: 3}`],
    ['although the record was replaced in between, which deletes the fields of the stack', 'widget', `
      base applies spec: {size: small, b: 1}
      person sets spec: {a: 1}
      base applies replace: true, spec: {size: large, a: 1, b: 1}
      base applies replace: true, spec: {size: large}
      it has spec: {size: large, a: 1}`],
    ['although the stack declared another value and ignored it', 'widget', `
      base applies spec: {b: 1}
      person sets spec: {a: 1}
      base applies ignore: [spec.a], spec: {a: 5, b: 2}
      base applies spec: {b: 3}
      it has spec: {a: 1, b: 3}`],
    ['except if the stack overwrote it', 'widget', `
      base applies spec: {b: 1}
      person sets spec: {a: 1}
      base applies spec: {a: 2, b: 1}
      base applies spec: {b: 1}
      it has spec: {b: 1}`],
  ]);
});

describe("a stack's value that a person changed, and the code later declared, belongs to the person", () => {
  // biome-ignore format: a row is a life
  testLives([
    ['a tag stays when the owner no longer declares it', 'group', `
      base applies tags: {cost: "7"}
      person sets tags: {cost: "8"}
      base applies description: new, tags: {cost: "8"}
      base applies description: newer
      it has tags: {cost: "8"}`],
    ['a tag stays after a replacement too', 'widget', `
      base applies replace: true, tags: {cost: "7"}, spec: {size: small}
      person sets tags: {cost: "8"}
      base applies replace: true, tags: {cost: "8"}, spec: {size: large}
      base applies replace: true, spec: {size: large}
      it has tags: {cost: "8"}`],
    ['an item stays when both parts that declare it drop it', 'gvc', `
      person makes spec: {env: []}
      first applies part: true, spec: {${env('A: 1')}}
      second applies part: true, spec: {${env('A: 1')}}
      person sets spec: {${env('A: 2')}}
      first applies part: true, spec: {${env('A: 2', 'B: 1')}}
      second applies part: true, spec: {${env('A: 2', 'C: 1')}}
      first applies part: true, spec: {${env('B: 1')}}
      second applies part: true, spec: {${env('C: 1')}}
      it has spec.${env('A: 2', 'B: 1', 'C: 1')}`],
    ['a tag stays in a record that a person recreated with the tags of the stack', 'group', `
      base applies tags: {team: a, cost: "7"}
      base applies tags: {team: a, cost: "7"}, description: written by a PATCH
      person recreates tags: {cost: "8"}
      person sets description: its version is that of the mark
      base applies tags: {team: a}, description: new
      it has tags: {team: a, cost: "8"}`],
    ['an item stays when the part no longer declares it', 'gvc', `
      person makes spec: {env: []}
      part applies part: true, spec: {${env('A: 1')}}
      person sets spec: {${env('A: 2')}}
      part applies part: true, spec: {${env('A: 2', 'B: 1')}}
      part applies part: true, spec: {${env('C: 1')}}
      it has spec.${env('A: 2', 'C: 1')}`],
    ['a tag of owner and part stays when the owner ignores it, renames the record and drops it', 'group', `
      base applies tags: {cost: "7"}
      part applies part: true, tags: {cost: "7"}
      person sets tags: {cost: "8"}
      base applies previously: true, ignore: [tags.cost], tags: {cost: "7"} -- --allow-collateral=1
      base applies
      it has tags: {cost: "8"}`],
  ]);
});

describe('a rename by the owner', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['keeps a tag that a person set again after removing that of a part', 'group', `
      base applies
      part applies part: true, tags: {cost: "7", team: a}
      person sets tags: {cost: null}
      base applies ignore: [tags.cost], tags: {cost: "7"}
      person sets tags: {cost: "7"}
      base writes previously: true
      base 0: apply . --yes --allow-collateral=1 => tags\\.cost stays: .*set it after @part did
      it has tags: {cost: "7"}`],
    ['keeps an item of a part of a custom kind in which a person changed a field', 'widget', `
      base applies replace: true, spec: {a: 1}
      part applies part: true, spec: {${rules('r1: 1', 'r2: 1')}}
      person sets spec: {$patch/rules: [{name: r1, v: 2}]}
      base writes replace: true, previously: true, spec: {a: 1}
      base 0: apply . --yes --allow-collateral=1 => spec\\.rules\\.r1 stays: .*set it after @part did
      it has spec: {a: 1, ${rules('r1: 2')}}`],
    ['keeps an ignored live list, and drops items that only parts claim with a permission flag',
      'policy', `
      person makes serviceaccount/ada
      person makes serviceaccount/bob
      person makes serviceaccount/dan
      base applies targetKind: gvc, target: all, ${binding('view', 'ada')}
      part applies part: true, targetKind: gvc, ${binding('edit', 'bob')}
      base writes previously: true, ignore: [bindings], targetKind: gvc, target: all, ${binding('manage', 'dan')}
      base 3: apply . --yes
      base 0: apply . --yes --allow-collateral=1
      base rests
      it has bindings: [{permissions: [view], principalLinks: [/org/local/serviceaccount/ada]}]`],
    ['keeps a declared item of a part of a custom kind, which is deleted when the owner drops it', 'widget', `
      base applies replace: true, spec: {a: 1}
      part applies part: true, spec: {${rules('r1: 1')}}
      base applies replace: true, previously: true, spec: {a: 1, ${rules('r1: 1')}} -- --allow-collateral=1
      base applies replace: true, spec: {a: 1}
      it has spec: {a: 1}`],
    ['keeps a declared tag of a part, which is deleted when the code drops it', 'group', `
      base applies
      part applies part: true, tags: {cost: "7"}
      person sets tags: {note: x}
      base applies previously: true, tags: {cost: "7"} -- --allow-collateral=1
      base applies
      it has tags: {note: x}`],
    ['keeps a member of an ignored list that a part declares too', 'group', `
      person makes serviceaccount/eve
      base applies
      part applies part: true, memberLinks: [//serviceaccount/eve]
      base applies memberLinks: [//serviceaccount/eve]
      base applies previously: true, ignore: [memberLinks] -- --allow-collateral=1
      it has memberLinks: [/org/local/serviceaccount/eve]`],
  ]);
});

describe('an undo restores the claims although the record was changed after the undo was planned:', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['a tag of a person is restored as theirs', 'group', `
      base applies description: one
      person sets tags: {cost: human}
      base keeps description: one, tags: {cost: mine}
      base turns
      person sets tags: {meanwhile: x}
      base returns
      it has tags: {cost: human, meanwhile: x}
      base applies description: two
      it has tags: {cost: human, meanwhile: x}`],
    ['a claim that the plan added is released', 'group', `
      base applies
      part applies part: true, tags: {cost: "7"}
      base keeps tags: {cost: "7"}
      base turns
      person sets tags: {meanwhile: x}
      base returns
      part goes
      it has tags: {meanwhile: x}`],
    ['a record that the plan adopted has no owner again', 'group', `
      person makes tags: {team: a}
      base keeps tags: {team: a, cost: "7"} -- --adopt
      base turns
      person sets tags: {meanwhile: x}
      base returns
      it has all tags: {team: a, meanwhile: x}`],
    ['a claim that another stack recorded meanwhile stays', 'group', `
      base applies
      base keeps description: new
      base turns
      part applies part: true, tags: {cost: "7"}
      base returns
      it has description: @it
      part goes
      it has tags: {}`],
  ]);
});

describe("a part's tag that a person overwrote stays when the part is destroyed, although the owner meanwhile", () => {
  // biome-ignore format: a row is a life
  testLives([
    ['replaced the record; other values of the part are deleted', 'widget', `
      base applies replace: true, spec: {size: small}
      part applies part: true, tags: {cost: "7", team: a}
      person sets tags: {cost: human}
      base applies replace: true, spec: {size: large}
      part goes
      it has tags: {cost: human}`],
    ['renamed it and undid the rename', 'widget', `
      base applies replace: true, spec: {size: small}
      part applies part: true, tags: {cost: "7", team: a}
      person sets tags: {cost: human}
      base keeps previously: true, replace: true, spec: {size: small} -- --allow-collateral=1
      base undoes
      part goes
      it shows tags: {cost: human}`],
  ]);
});

describe('an item of a custom kind in which a person set a field stays', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['when the owner no longer declares it, and a note names the person', 'widget', `
      base applies spec: {a: 1, rules: [{name: r1, w: x}, {name: r2}]}
      person sets spec: {rules: [{name: r1, w: x, v: 2}, {name: r2}]}
      base writes spec: {a: 1}
      base 0: plan . => spec\\.rules\\.r1\\.name stays: .* set it after this stack did, in version \\d
      base applies spec: {a: 1}
      it has spec.rules: [{name: r1, w: x, v: 2}]`],
    ['although the owner wrote to the record, and to the item, in between', 'widget', `
      base applies spec: {rules: [{name: r1, w: x}]}
      person sets spec: {rules: [{name: r1, w: x, v: 2}]}
      base applies spec: {a: 1, rules: [{name: r1, w: y}]}
      base applies spec: {a: 1}
      it has spec.rules: [{name: r1, w: y, v: 2}]`],
    ['although a part declares it too, and the owner drops it', 'widget', `
      base applies spec: {a: 1, rules: [{name: r1}]}
      person sets spec: {${rules('r1: 2')}}
      part applies part: true, spec: {${rules('r1: 2')}}
      base applies spec: {a: 1}
      part goes
      it has spec.${rules('r1: 2')}`],
    ['although a part declares it too, a person recreated it, and both drop it', 'widget', `
      base applies spec: {a: 1}
      part applies part: true, spec: {${rules('r1: 1')}}
      base applies spec: {a: 2, ${rules('r1: 1')}}
      person sets spec: {$drop: [rules]}
      person sets spec: {${rules('r1: 1')}}
      base applies spec: {a: 3, ${rules('r1: 1')}}
      part goes
      base applies spec: {a: 3}
      it has spec: {a: 3, ${rules('r1: 1')}}`],
    ['except if the owner has overwritten the field', 'widget', `
      base applies spec: {${rules('r1: 1')}}
      person sets spec: {${rules('r1: 2')}}
      base applies spec: {a: 1, ${rules('r1: 1')}}
      base applies spec: {a: 1}
      it has spec.rules: null`],
  ]);
});

describe('an item of a part, in a list that the owner declares as a whole, stays', () => {
  // biome-ignore format: a row is a life
  testLives([
    ['when the part is destroyed, with the changes of a person in it, although the owner replaced the record',
      'workload@yard', `
      person makes gvc/yard spec: {}
      base applies ${web('serverless')}
      part applies part: true, spec: {containers: [{name: side, image: "r.example.com/s:1"}]}
      person sets spec: {$patch/containers: [{name: side, env: [{name: C, value: "1"}]}]}
      base applies ${web('standard')}
      part goes
      it shows spec: {containers: [{name: main}, {name: side, env: [{name: C, value: "1"}]}]}`],
    ['when the part is destroyed, if a person created it and the part only declared the same', 'gvc', `
      person makes spec: {env: []}
      base applies spec: {} -- --adopt
      person sets spec: {${env('A: 1')}}
      part applies part: true, spec: {${env('A: 1')}}
      base rests
      part goes
      it has spec.${env('A: 1')}`],
    ["with the changes of a person in it, and the owner's plan after a replacement is empty", 'workload@house', `
      person makes gvc/house spec: {}
      base applies ${web('serverless')}
      part applies part: true, spec: {containers: [{name: side, image: "r.example.com/s:1"}]}
      person sets spec: {$patch/containers: [{name: side, cpu: 200m}]}
      base applies ${web('standard')}
      it shows spec: {containers: [{name: main}, {name: side, cpu: 200m}]}`],
    ["and the owner's plan after the undo of a rename is empty", 'group', `
      person makes serviceaccount/fay
      base applies
      part applies part: true, memberLinks: [//serviceaccount/fay]
      person sets tags: {note: x}
      base keeps previously: true -- --allow-collateral=1
      base undoes
      base writes
      base rests`],
  ]);
});
