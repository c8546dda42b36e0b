import { describe } from 'vitest';
import { testStories } from '../harness/stories.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** Two projects of one org whose stacks have one name, and a stack that gets a `project` later. */
const platform = usePlatform();
const otherProject = '/stack\\.other-project/';

// biome-ignore format: a row is a story
describe('two projects whose stacks have one name', () => testStories(platform, 'shop', [
  ['the second is refused before it deletes what the first has, with both explanations and what to do', `
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
  ['destroy in the folder of the second one is refused, and with --stack it is not', `
    applies group/@-one
    in second: writes group/@-two
    in second: $3 destroy . --yes > ${otherProject}
    in second: $ destroy . --stack @ --yes
    group/@-one is absent`],
  ['destroy needs no manifests that are right', `
    applies group/@-one
    writes group/@-one nonsense: true
    $ destroy . --yes
    group/@-one is absent`],
  ['the second is refused also where it names its manifests, and prunes; without --prune nothing would be deleted', `
    applies group/@-one
    in second: writes group/@-two
    in second: $3 apply stack.yaml --prune --yes > ${otherProject}
    in second: $ apply stack.yaml --yes
    group/@-one has name: @-one
    group/@-two has name: @-two`],
  ['a stack of which one thing is as before deletes the rest as ever', `
    applies group/@-one & group/@-two
    applies group/@-one & group/@-three
    group/@-two is absent`],
  ['a stack of which everything was renamed is not refused where its manifests say so', `
    applies group/@-one
    applies group/@-two lifecycle: {previously: @-one}
    group/@-one is absent
    group/@-two has name: @-two`],
]));

// biome-ignore format: a row is a story
describe('a stack without a project', () => testStories(platform, 'late', [
  ['is told so by its plan, once, with the line to add', `
    writes group/@
    $ plan . ! 1 × project: ! /${[
      '^note: another project with the stack name @ in the org local would own the same resources; ',
      'to make the name unique, add `project: p[0-9a-f]{7}` to gantry.yaml$',
    ].join('')}/
    gantry.yaml is {stack: @, project: mine}
    $ plan . ! no project`],
  ['gets one later: apply --adopt takes over what it had, and nothing is created or deleted', `
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
  ['takes its parts along, with their claims', `
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
