import type { Pipeline } from './pipelineFiles.ts';

/** What is set up by hand, on the forge: a pipeline cannot give itself keys. */
export function nextSteps({ forge, environments }: Pipeline): readonly string[] {
  if (forge === 'shell') {
    return [
      'Call ci/gantry.sh plan, apply and drift in your pipeline. Keep gantry.plan from plan to apply.',
      'gantry ci policy prints the least rights that the tokens need.',
    ];
  }
  const names = environments.length === 0 ? ['gantry'] : environments;
  const where = forge === 'github' ? 'Settings > Environments' : 'Settings > CI/CD and Operate > Environments';
  return [
    `${where}: make ${names.map((name) => `${name}-plan, ${name}-approval and ${name}`).join('; ')}.`,
    'Give each NAME-plan a GANTRY_TOKEN that may only read, and each NAME one that may change (gantry ci policy).',
    'Name reviewers for each NAME-approval, and allow it and NAME on protected branches only.',
    ...(forge === 'github'
      ? ['Set the variables GANTRY_ORG and GANTRY_ENDPOINT in each of them, unless gantry.yaml has them.']
      : [
          'Set GANTRY_ORG and GANTRY_ENDPOINT for each of them, unless gantry.yaml has them, and GITLAB_TOKEN for comments.',
        ]),
    'Optional: GANTRY_PLAN_KEY and GANTRY_APPROVAL_KEY, with signers in gantry.yaml; GANTRY_NOTIFY.',
  ];
}
