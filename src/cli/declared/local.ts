import { type Command, Help, Option } from 'commander';
import { compact } from '../../base/json/present.ts';
import { creatableKinds } from '../../schema/record/kinds.ts';
import { commandAt, leafCommands } from '../../terminal/commandTree.ts';
import { type Launch, paths, pathsHelp } from '../../terminal/context.ts';
import { insteadOfCommand } from '../../terminal/habits.ts';
import { completePage, widthOf } from '../../terminal/helpPage.ts';
import { collect, parseCount, parseDuration, parsePort } from '../../terminal/optionGroups.ts';
import type { GlobalOptions, OutputOptions } from '../../terminal/options.ts';
import { addCommand, addShared, type SharedOption, sharedOptions } from '../../terminal/sharedOptions.ts';
import type { AddOptions } from '../commands/add.ts';
import type { ConvertOptions } from '../commands/convert.ts';
import type { GraphOptions } from '../commands/graph.ts';
import type { InitOptions } from '../commands/init.ts';
import { templates } from '../commands/initTemplates.ts';
import type { ServeOptions } from '../commands/serve.ts';
import type { SynthOptions } from '../commands/synthOptions.ts';
import { addReportOption } from '../output/reportOption.ts';
import { documentSchemas, schemaNames } from './documents.ts';

export function declareAdd(program: Command, launch: Launch): void {
  const command = addCommand(program, 'add', ['gvc'])
    .argument('<kind>', `one of ${creatableKinds.join(', ')}`)
    .argument('[name]', 'name of the resource (default: a usual one)')
    .description('write a new file with a resource of a kind, as TypeScript or as a manifest')
    .option('--dir <dir>', 'folder of the project (default: the current folder)')
    .addOption(
      new Option('--format <format>', 'what to write (default: what the project is written in)').choices([
        'ts',
        'yaml',
      ]),
    )
    .action((kind: string, name: string | undefined, _: unknown, parsed: Command) =>
      launch(parsed.opts<AddOptions>(), async (context) =>
        (await import('../commands/add.ts')).runAdd(context, kind, name),
      ),
    );
  completePage(command, 'snippet', [
    ['gantry add workload api', 'writes workload-api.ts, or workload-api.yaml'],
    ['gantry add volumeset --format yaml', 'as a manifest'],
  ]);
}

export function declareInit(program: Command, launch: Launch): void {
  const list = Object.entries(templates).map(([name, shows]) => `${name}: ${shows}`);
  const command = addCommand(program, 'init', [])
    .argument('[template]', list.join('; '), 'service')
    .description('make a new project: a stack with its test, settings, and package.json')
    .option('--dir <dir>', 'folder of the project; it is made if it does not exist (default: the current folder)')
    .option('--name <name>', 'name of the stack (default: the name of the folder)')
    .action((template: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<InitOptions>(), async (context) =>
        (await import('../commands/init.ts')).runInit(context, template),
      ),
    );
  completePage(command, 'project', [
    ['gantry init', 'a web service, in the current folder'],
    ['gantry init stateful --dir orders', 'a database, in a new folder'],
  ]);
}

export function declareConvert(program: Command, launch: Launch): void {
  const command = addCommand(program, 'convert', ['gvc'])
    .argument('<file...>', 'files with manifests of Kubernetes, or a Compose file; - is standard input')
    .description('print manifests for what runs on Kubernetes or with Compose, and list what has no counterpart')
    .option('--location <name>', 'a location of the GVC, which is then printed too (repeatable)', collect, [])
    .action((files: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<ConvertOptions>(), async (context) =>
        (await import('../commands/convert.ts')).runConvert(context, files),
      ),
    );
  completePage(command, 'conversion', [
    ['gantry convert compose.yaml --gvc shop > stack.yaml', 'services of a Compose file'],
    ['kubectl get deploy,svc,ing,cm -o yaml | gantry convert - --gvc shop', 'what runs in a cluster'],
  ]);
}

export function declareValidate(program: Command, launch: Launch): void {
  const command = addCommand(program, 'validate', ['org', 'gvc', 'env', 'embedded', 'dialect'])
    .argument(paths, pathsHelp)
    .description('check manifests against every rule that needs no platform')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<GlobalOptions>(), async (context) =>
        (await import('../commands/validate.ts')).runValidate(context, given),
      ),
    );
  addReportOption(command, 'validate');
  completePage(command, 'validation', [
    ['gantry validate .', 'all manifests of this folder'],
    ['cat web.yaml | gantry validate - --gvc shop', 'one that names no GVC'],
  ]);
}

export function declareSynth(program: Command, launch: Launch): void {
  const command = addCommand(program, 'synth', ['org', 'gvc', 'env', 'embedded', 'dialect'])
    .argument(paths, pathsHelp)
    .description('print the manifests that the input declares')
    .option('--reveal', 'print secret values instead of masks', false)
    .addOption(
      new Option('--as <form>', 'what to print; terraform: the content of a .tf.json file for its provider')
        .choices(['manifests', 'terraform'])
        .default('manifests'),
    )
    .addOption(
      new Option('--words <whose>', 'whose words the manifests are in')
        .choices(['neutral', 'platform'])
        .default('neutral'),
    )
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<SynthOptions>(), async (context) =>
        (await import('../commands/synth.ts')).runSynth(context, given),
      ),
    );
  completePage(command, 'manifests', [
    ['gantry synth examples/shop > shop.yaml', 'a TypeScript stack as YAML'],
    ['gantry synth examples/shop -o json', 'as JSON'],
    ['gantry synth examples/shop --reveal | gantry plan -', 'with secret values, as input for plan'],
    ['gantry synth examples/shop --as terraform > cdk.tf.json', 'for terraform plan'],
  ]);
}

export function declareGraph(program: Command, launch: Launch): void {
  const command = addCommand(program, 'graph', ['org', 'gvc', 'env', 'embedded'])
    .argument(paths, pathsHelp)
    .description('print the dependencies between resources')
    .addOption(
      new Option('--format <format>', 'output format of the graph').choices(['mermaid', 'dot', 'text']).default('text'),
    )
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<GraphOptions>(), async (context) =>
        (await import('../commands/graph.ts')).runGraph(context, given),
      ),
    );
  completePage(command, 'graph', [
    ['gantry graph examples/shop', 'as text'],
    ['gantry graph examples/shop --format dot | dot -Tsvg > shop.svg', 'as a picture'],
  ]);
}

/**
 * `gantry policy test`. All other commands with this first word are about resources of the kind `policy`
 * (`terminal/nouns.ts`).
 */
export function declarePolicy(program: Command, launch: Launch): void {
  const policy = program
    .command('policy')
    .helpCommand(false)
    .description('test policies as code (gantry policy --help: commands on resources of the kind policy)');
  const command = addCommand(policy, 'test', ['org', 'env'])
    .argument('[path...]', 'files and folders of tests (default: policies)')
    .description('try the policies of the project on manifests and plans, and compare what they find')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<GlobalOptions>(), async (context) =>
        (await import('../commands/policy.ts')).runPolicyTest(context, given),
      ),
    );
  completePage(command, 'policy-tests', [
    ['gantry policy test', 'policies/*.test.yaml of the project in this folder'],
    ['gantry policy test policies/images.test.yaml -o json', 'one file of tests, for programs'],
  ]);
  completePage(policy, undefined, [['gantry policy test', 'try the policies of the project']]);
}

export function declareRules(program: Command, launch: Launch): void {
  const command = addCommand(program, 'rules', [])
    .description('list the rules that manifests are checked against')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<OutputOptions>(), async (context) => (await import('../commands/rules.ts')).runRules(context)),
    );
  completePage(command, 'rules', [
    ['gantry rules', 'as a table'],
    ['gantry rules -o json', 'as JSON'],
  ]);
}

export function declareSchema(program: Command, launch: Launch): void {
  const command = addCommand(program, 'schema', [])
    .argument('<name>', `one of ${schemaNames.join(', ')}`)
    .description('print the JSON Schema of a kind, or of a document that commands print')
    .action((name: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<OutputOptions>(), async (context) =>
        (await import('../commands/schema.ts')).runSchema(context, name, schemaNames, documentSchemas),
      ),
    );
  completePage(command, undefined, [['gantry schema workload > workload.json', 'for a YAML editor']]);
}

export function declareServe(program: Command, launch: Launch): void {
  const command = addCommand(program, 'serve', ['org', 'token', 'data', 'dialect'])
    .description('run the platform itself; default org: local, default data folder: .gantry (or :memory:)')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 4480)
    .option('--host <address>', 'address to listen on; local-only endpoints exist on loopback only', '127.0.0.1')
    .option('--public-url <url>', 'address that clients use, if it is another one (a proxy, a host name)')
    .option('--no-auth', 'do not check tokens (loopback only)')
    .option('--tokens <file>', 'further tokens: {tokens: [{token, principal, expires}]}')
    .option('--user <email>', 'seed a user (repeatable)', collect, [])
    .option('--lenient', 'rules that may be stricter than the real service only warn', false)
    .addOption(new Option('--answers <forms>', 'show records in other forms, for tests: bare,short').hideHelp())
    .option('--prove-ownership', 'domains need a proof of ownership', false)
    .option(
      '--expand-limit <count>',
      'how often a volume may be expanded by command in 24 hours (default: no limit)',
      parseCount,
    )
    .option('--rate-limit <count>', 'requests per second and token (default: no limit)', parseCount)
    .option('--store <url>', 'postgres://user:password@host/database instead of a file; several servers may share it')
    .option('--latency <duration>', 'delay of every response', parseDuration, 0)
    .addOption(
      new Option('--ready-after <duration>', 'time until deployments are ready')
        .argParser(parseDuration)
        .default(500, '500ms'),
    )
    .option('--deletion-delay <duration>', 'how long deleted resources are still shown', parseDuration, 0)
    .addOption(
      new Option('--clock <clock>', 'real, or virtual: stepped by POST /-clock')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .option('--seed <text>', 'seed of everything that is simulated', 'gantry')
    .option('--faults <file>', 'faults to inject, as for POST /-faults')
    .option('--from <file>', 'start with the state in this file (from GET /-snapshot)')
    .option('--kinds <file>', 'serve the kinds that this file defines under kinds, as gantry.yaml does')
    .option('--dev', 'with local-only endpoints (default on loopback; not possible elsewhere)')
    .option('--no-dev', 'without local-only endpoints')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<ServeOptions>(), async (context) => (await import('../commands/serve.ts')).runServe(context)),
    );
  completePage(command, 'server', [
    ['gantry serve', 'on port 4480, data in .gantry'],
    ['gantry serve --port 0 --data :memory: --token secret', 'on a free port, in memory only'],
    ['gantry serve --clock virtual', 'time passes only by POST /-clock'],
  ]);
}

/** `gantry help [topic]`: the page of a command, or of the options that several commands share. */
export function declareHelp(program: Command): void {
  const help = addShared(program.command('help'), [])
    .usage('[topic]')
    .argument('[topic...]', 'a command, or the word options')
    .description('print the help of a command, or of the options that several commands share')
    .action(async (words: readonly string[]) => {
      if (words.length === 0) return program.outputHelp();
      const topic = words.join(' ');
      if (topic === 'options') return help.configureOutput().writeOut?.(optionsPage(program, widthOf(help)));
      const found = commandAt(program, words);
      if (found?.path.length === words.length) return found.command.outputHelp();
      const { UsageError } = await import('../../terminal/usageError.ts');
      const instead = insteadOfCommand(words[0] ?? '') ?? 'gantry --help lists all commands.';
      throw new UsageError(`there is no help for '${topic}'`, instead);
    });
  completePage(help, undefined, [['gantry help options', '--org, --embedded, -o, and the like']]);
}

/** Each option with the commands that accept it, and its other sources. */
function optionsPage(program: Command, width: number): string {
  const help = new Help();
  help.helpWidth = width;
  const entries: readonly SharedOption[] = Object.values(sharedOptions);
  const termWidth = Math.max(...entries.map(({ flags }) => flags.length));
  const items = entries.map((entry) => help.formatItem(entry.flags, termWidth, aboutOf(entry, program), help));
  const intro =
    'Options that several commands share. They may come before or after the command. A flag overrides the ' +
    'environment, which overrides gantry.yaml; gantry serve reads flags only.';
  return `${help.boxWrap(intro, width)}\n\n${items.join('\n')}\n`;
}

function aboutOf(entry: SharedOption, { commands }: Command): string {
  const { description, choices, default: value, environment, setting, otherwise } = entry;
  const places = compact([environment, setting === undefined ? undefined : `${setting} in gantry.yaml`]);
  const lacks = ({ options }: Command): boolean =>
    options.length > 0 && options.every(({ flags }) => flags !== entry.flags);
  const without = commands.filter((each) =>
    each.commands.length === 0 ? each.name() !== 'help' && lacks(each) : leafCommands(each).every(lacks),
  );
  return compact([
    `${description}.`,
    choices === undefined ? undefined : `Choices: ${choices.join(', ')} (default: ${value}).`,
    places.length === 0 ? undefined : `If omitted: ${compact([...places, otherwise]).join(', then ')}.`,
    without.length === 0 ? undefined : `Not available in ${without.map((each) => each.name()).join(', ')}.`,
  ]).join(' ');
}
