import { describe } from 'vitest';
import { testStories } from '../harness/stories.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** Two projects in one org with stacks of the same name, and a stack that gets a `project` later. */
const platform = usePlatform();
const otherProject = '/stack\\.other-project/';

// biome-ignore format: a row is a story
describe('two projects with stacks of the same name', () => testStories(platform, 'shop', [
  ['the second is refused before it deletes records of the first, with both explanations and both remedies', `
    applies group/@-one
    in second: writes group/@-two
    ${['plan .', 'apply . --yes'].map((command) => `in second: $3 ${command} > ${otherProject}
      > either another project has a stack of this name, or everything of this one was renamed
      > \`project: ID\` in gantry.yaml > lifecycle.previously > gantry destroy --stack @`).join('\n')}
    group/@-two is absent
    in second: gantry.yaml is {stack: @, project: second}
    in second: applies group/@-two
    rests
    in second: rests`],
  ['destroy in the folder of the second one is refused, except with --stack', `
    applies group/@-one
    in second: writes group/@-two
    in second: $3 destroy . --yes > ${otherProject}
    in second: $ destroy . --stack @ --yes
    group/@-one is absent`],
  ['destroy does not need valid manifests', `
    applies group/@-one
    writes group/@-one nonsense: true
    $ destroy . --yes
    group/@-one is absent`],
  ['the second is refused if it names its manifests with --prune; without --prune nothing is deleted', `
    applies group/@-one
    in second: writes group/@-two
    in second: $3 apply stack.yaml --prune --yes > ${otherProject}
    in second: $ apply stack.yaml --yes
    group/@-one has name: @-one
    group/@-two has name: @-two`],
  ['a stack that keeps one resource deletes the others as usual', `
    applies group/@-one & group/@-two
    applies group/@-one & group/@-three
    group/@-two is absent`],
  ['a stack in which everything was renamed is not refused if its manifests declare the renames', `
    applies group/@-one
    applies group/@-two lifecycle: {previously: @-one}
    group/@-one is absent
    group/@-two has name: @-two`],
]));

// biome-ignore format: a row is a story
describe('a stack without a project', () => testStories(platform, 'late', [
  ['gets one note in its plan with the line to add', `
    writes group/@
    $ plan . ! 1 × project: ! /${[
      '^note: another project with the stack name @ in the org local would own the same resources; ',
      'to make the name unique, add `project: p[0-9a-f]{7}` to gantry.yaml$',
    ].join('')}/
    gantry.yaml is {stack: @, project: mine}
    $ plan . ! no project`],
  ['gets one later: apply --adopt takes over its records, and nothing is created or deleted', `
    applies group/@-one & group/@-two
    $ plan . ! /and apply once with --adopt$/
    gantry.yaml is {stack: @, project: mine}
    $3 plan . > it belongs to the stack @, which is this one without the \`project\` of its gantry.yaml
      > --adopt once, which takes it over
    $ apply . --yes --adopt > Plan: 2 to adopt
    group/@-one has tags: {gantry/stack: @.mine}
    rests
    applies group/@-one
    group/@-two is absent`],
  ['takes over its parts with their claims', `
    in base: gantry.yaml is {stack: base, project: @}
    in base: applies group/@
    applies group/@ lifecycle: {part: true}, tags: {cost: "7"}
    gantry.yaml is {stack: @, project: mine}
    $ apply . --yes --adopt
    $ group get @ -o json > "gantry/applied.@.mine": > no "gantry/applied.@":
    rests
    $ destroy --yes
    $ group get @ -o json > no cost > no gantry/applied.
    in base: rests`],
]));
