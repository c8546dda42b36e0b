import { Command, Option } from 'commander';
import { type Launch, paths, pathsHelp } from './line/launch.ts';
import { liveCommands } from './liveCommands.ts';
import type { GlobalOptions, GraphOptions, OutputOptions, SynthOptions } from './line/options.ts';
import { planningCommands } from './planningCommands.ts';
import { schemaNames } from './commands/schema/schemaNames.ts';
import { serveCommand } from './commands/serve/declare.ts';
import { addHelpCommand } from './commands/help/declare.ts';
import { completePage, helpPage, helpWidthOf } from './line/helpPage.ts';
import { addCommand } from './line/sharedOptions.ts';
import { version } from './process/version.ts';

/** The command line. Each command's code is loaded when it runs, so that `--help` loads commander and nothing else. */
export function makeProgram(launch: Launch): Command {
  const program = new Command('gantry')
    .description('Plan and apply infrastructure on a workload platform.')
    .version(`gantry ${version}`, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp(helpPage)
    .exitOverride()
    .configureOutput({
      outputError: () => {}, // told with all other errors, in the same form
      getOutHelpWidth: () => helpWidthOf(process.stdout.columns),
      getErrHelpWidth: () => helpWidthOf(process.stderr.columns),
    });
  completePage(program, [
    ['gantry plan examples/shop --embedded', 'what would happen'],
    ['gantry apply examples/shop --embedded --yes', 'make it so'],
    ['gantry serve --port 4480', 'the platform itself'],
  ]);

  readingCommands(program, launch);
  planningCommands(program, launch);
  liveCommands(program, launch);
  platformCommands(program, launch);
  addHelpCommand(program);
  return program;
}

function readingCommands(program: Command, launch: Launch): void {
  const validate = addCommand(program, 'validate', ['org', 'gvc', 'embedded', 'dialect'])
    .argument(paths, pathsHelp)
    .description('check manifests against every rule that can be known offline')
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<GlobalOptions>(), async (context) =>
        (await import('./commands/validate/run.ts')).runValidate(context, given),
      ),
    );
  completePage(validate, [
    ['gantry validate .', 'all manifests of this folder'],
    ['cat web.yaml | gantry validate - --gvc shop', 'one that names no GVC'],
  ]);

  const synth = addCommand(program, 'synth', ['org', 'gvc', 'embedded'])
    .argument(paths, pathsHelp)
    .description('print the manifests that the input stands for')
    .option('--reveal', 'print secret values, which are masked otherwise', false)
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<SynthOptions>(), async (context) =>
        (await import('./commands/synth/run.ts')).runSynth(context, given),
      ),
    );
  completePage(synth, [
    ['gantry synth examples/shop > shop.yaml', 'a TypeScript stack as YAML'],
    ['gantry synth examples/shop -o json', 'as JSON'],
    ['gantry synth examples/shop --reveal | gantry plan -', 'with secret values, to be read again'],
  ]);

  const graph = addCommand(program, 'graph', ['org', 'gvc', 'embedded'])
    .argument(paths, pathsHelp)
    .description('print what waits for what')
    .addOption(new Option('--format <format>', 'form of the graph').choices(['mermaid', 'dot', 'text']).default('text'))
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<GraphOptions>(), async (context) =>
        (await import('./commands/graph/run.ts')).runGraph(context, given),
      ),
    );
  completePage(graph, [
    ['gantry graph examples/shop', 'as text'],
    ['gantry graph examples/shop --format dot | dot -Tsvg > shop.svg', 'as a picture'],
  ]);
}

function platformCommands(program: Command, launch: Launch): void {
  const serve = serveCommand(program, (options) =>
    launch(options, async (context) => (await import('./commands/serve/run.ts')).runServe(context)),
  );
  completePage(serve, [
    ['gantry serve', 'on port 4480, data in .gantry'],
    ['gantry serve --port 0 --data :memory: --token secret', 'on a free port, nothing kept'],
    ['gantry serve --clock virtual', 'time passes by POST /-clock only'],
  ]);

  const rules = addCommand(program, 'rules', [])
    .description('list every rule that a manifest is checked against')
    .action((_: unknown, command: Command) =>
      launch(command.opts<OutputOptions>(), async (context) =>
        (await import('./commands/rules/run.ts')).runRules(context),
      ),
    );
  completePage(rules, [
    ['gantry rules', 'as a table'],
    ['gantry rules -o json', 'as JSON'],
  ]);

  const schema = addCommand(program, 'schema', [])
    .argument('<name>', `one of ${schemaNames.join(', ')}`)
    .description('print the JSON Schema of a kind, or of a document that commands print')
    .action((name: string, _: unknown, command: Command) =>
      launch(command.opts<OutputOptions>(), async (context) =>
        (await import('./commands/schema/run.ts')).runSchema(context, name),
      ),
    );
  completePage(schema, [['gantry schema workload > workload.json', 'for a YAML editor']]);
}
