import type { Command } from 'commander';
import { type Launch, paths, pathsHelp } from '../../terminal/context.ts';
import { completePage } from '../../terminal/helpPage.ts';
import { collect } from '../../terminal/optionGroups.ts';
import { addCommand } from '../../terminal/sharedOptions.ts';
import type { CommentOptions, FetchOptions, InitCiOptions } from '../commands/ci/options.ts';
import type { PolicyOptions } from '../commands/ci/policy.ts';

/** `gantry ci COMMAND`: pipelines that plan, request approval, and apply. */
export function declareCi(program: Command, launch: Launch): void {
  const ci = program
    .command('ci')
    .helpCommand(false)
    .description('set up a pipeline, or run one of its steps on GitHub or GitLab');
  declareInitCi(ci, launch);
  declareComment(ci, launch);
  declareFetch(ci, launch);
  declarePolicy(ci, launch);
  completePage(ci, undefined, [
    ['gantry ci init github --env dev --env prod', 'a pipeline for GitHub Actions'],
    ['gantry ci comment report.md', 'in a job: the report as the comment of a pull request'],
  ]);
}

function declareInitCi(ci: Command, launch: Launch): void {
  const command = addCommand(ci, 'init', [])
    .argument('<forge>', 'github, gitlab, or shell (the steps alone)')
    .description('write a pipeline: plan on a pull request, approval, apply after the merge, drift every night')
    .option('--dir <dir>', 'root of the repository (default: the current folder)')
    .option('--path <path>', 'folder of the stack, from the root of the repository', '.')
    .option(
      '--env <environment>',
      'an environment, in the order of promotion (repeatable; default: those of gantry.yaml)',
      collect,
      [],
    )
    .option('--branch <name>', 'the branch that is applied', 'main')
    .action((forge: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<InitCiOptions>(), async (context) =>
        (await import('../commands/ci/init.ts')).runInitCi(context, forge),
      ),
    );
  completePage(command, 'ci-pipeline', [
    ['gantry ci init github --env dev --env prod', 'dev first, then prod'],
    ['gantry ci init gitlab --path infrastructure', 'the stack is in a folder of the repository'],
  ]);
}

function declareComment(ci: Command, launch: Launch): void {
  const command = addCommand(ci, 'comment', [])
    .argument('<report>', 'a file that was written by --report FILE.md')
    .description('write a report as a comment, in place of the one that this pipeline wrote before (in a job)')
    .option('--change <number>', 'pull or merge request (default: the one that the job runs for)')
    .action((file: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<CommentOptions>(), async (context) =>
        (await import('../commands/ci/comment.ts')).runComment(context, file),
      ),
    );
  completePage(command, 'ci-comment', [['gantry ci comment report.md', 'needs GITHUB_TOKEN or GITLAB_TOKEN']]);
}

function declareFetch(ci: Command, launch: Launch): void {
  const command = addCommand(ci, 'fetch', [])
    .argument('<plan>', 'the file to write')
    .description('fetch the saved plan of the pull or merge request that was merged as this commit (in a job)')
    .option('--artifact <name>', 'name of the artifact (GitLab: of the job)', 'gantry-plan')
    .action((file: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<FetchOptions>(), async (context) =>
        (await import('../commands/ci/fetch.ts')).runFetch(context, file),
      ),
    );
  completePage(command, 'ci-fetch', [
    ['gantry ci fetch gantry.plan --artifact gantry-plan-prod', 'then: gantry apply gantry.plan'],
  ]);
}

function declarePolicy(ci: Command, launch: Launch): void {
  const command = addCommand(ci, 'policy', ['org', 'gvc', 'profile', 'stack', 'env', 'embedded', 'dialect'])
    .argument(paths, pathsHelp)
    .description('print the service accounts and policies that a pipeline needs, as manifests')
    .option(
      '--name <name>',
      'prefix of the names in the printed manifests (default: pipeline-STACK, of several stacks pipeline-PROJECT)',
    )
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<PolicyOptions>(), async (context) =>
        (await import('../commands/ci/policy.ts')).runCiPolicy(context, given),
      ),
    );
  completePage(command, 'manifests', [
    ['gantry ci policy . > ../access.yaml', 'outside of the project; review it'],
    ['gantry apply ../access.yaml --stack access', 'by somebody with the permissions for it'],
  ]);
}
