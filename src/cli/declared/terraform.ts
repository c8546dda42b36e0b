import { type Command, Option } from 'commander';
import type { Launch } from '../../terminal/context.ts';
import { completePage } from '../../terminal/helpPage.ts';
import { collect } from '../../terminal/optionGroups.ts';
import { addCommand, platformOptions } from '../../terminal/sharedOptions.ts';
import type {
  BindingsOptions,
  ConfigOptions,
  ExportOptions,
  FromStateOptions,
  InstallOptions,
  MigrateOptions,
  MirrorOptions,
  SchemaOptions,
} from '../commands/terraform/options.ts';

const dirHelp = 'folder of the mirror (default: terraform.d/plugins)';

/** `gantry terraform COMMAND`: for teams that use Terraform or OpenTofu. */
export function declareTerraform(program: Command, launch: Launch): void {
  const terraform = program
    .command('terraform')
    .helpCommand(false)
    .description('use Gantry as a provider of Terraform and OpenTofu, and move between them');
  declareInstall(terraform, launch);
  declareMirror(terraform, launch);
  declareConfig(terraform, launch);
  declareProviderSchema(terraform, launch);
  declareExport(terraform, launch);
  declareFromState(terraform, launch);
  declareMigrate(terraform, launch);
  declareBindings(terraform, launch);
  completePage(terraform, undefined, [
    ['gantry terraform install', 'then: terraform init'],
    ['gantry terraform export --all > main.tf', 'live resources as configuration'],
    ['gantry terraform from-state terraform.tfstate', 'the way back'],
  ]);
}

function declareInstall(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'install', [])
    .description('write the provider to a folder from which terraform init takes it, without a registry')
    .option('--dir <dir>', dirHelp)
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<InstallOptions>(), async (context) =>
        (await import('../commands/terraform/install.ts')).runInstall(context),
      ),
    );
  completePage(command, 'terraform-installation', [
    ['gantry terraform install', 'for the project in this folder: no configuration is needed'],
    ['gantry terraform install --dir ~/.terraform.d/plugins', 'for every project of this user'],
  ]);
}

function declareMirror(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'mirror', [])
    .argument('<dir>', 'folder to write to')
    .description('write a packed mirror of the provider for Linux and macOS, with the checksums of lock files')
    .action((dir: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<MirrorOptions>(), async (context) =>
        (await import('../commands/terraform/mirror.ts')).runMirror(context, dir),
      ),
    );
  completePage(command, 'terraform-mirror', [
    ['gantry terraform mirror /srv/mirror', 'for filesystem_mirror, and served over HTTPS for network_mirror'],
  ]);
}

function declareConfig(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'config', [])
    .description('print a CLI configuration with which Terraform takes the provider from a folder')
    .addOption(new Option('--dir <dir>', dirHelp).conflicts('dev'))
    .option('--dev', 'run the provider of this installation, without init and lock file', false)
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<ConfigOptions>(), async (context) =>
        (await import('../commands/terraform/config.ts')).runConfig(context),
      ),
    );
  completePage(command, 'terraform-cli-configuration', [
    ['gantry terraform config --dir /opt/mirror > ci.tfrc', 'then: TF_CLI_CONFIG_FILE=ci.tfrc terraform init'],
  ]);
}

function declareProviderSchema(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'schema', [])
    .description('print the schema of the provider, as terraform providers schema -json does')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<SchemaOptions>(), async (context) =>
        (await import('../commands/terraform/schemaOf.ts')).runSchemaOf(context),
      ),
    );
  completePage(command, 'terraform-schema', [['gantry terraform schema > schema.json', 'for editors and generators']]);
}

function declareExport(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'export', platformOptions)
    .argument('[ref...]', 'kind/[gvc/]name')
    .description('write live or declared resources as Terraform configuration, with import blocks')
    .option('--all', 'every resource in the org (with --gvc: in that GVC)', false)
    .option('--declared <path>', 'export what manifests or a stack declare, not what is live (repeatable)', collect, [])
    .option('--no-import', 'leave out import blocks')
    .option('--no-requirements', 'leave out required_providers, for a project that has it')
    .addOption(new Option('--format <format>', 'syntax of Terraform').choices(['hcl', 'json']).default('hcl'))
    .option('--out <file>', 'a new file (default: standard output)')
    .action((refs: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<ExportOptions>(), async (context) =>
        (await import('../commands/terraform/export.ts')).runExport(context, refs),
      ),
    );
  completePage(command, 'terraform-export', [
    ['gantry terraform export --stack shop --out shop.tf', 'what a stack owns'],
    ['gantry terraform export workload/shop/web', 'one resource'],
    ['gantry terraform export --declared examples/shop', 'what a stack declares'],
  ]);
}

function declareFromState(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'from-state', [])
    .argument('<file>', 'a state (version 4), or the output of terraform show -json; - for standard input')
    .description('write manifests or a TypeScript stack for the resources of a Terraform state')
    .addOption(new Option('--format <format>', 'what to write').choices(['yaml', 'ts']).default('yaml'))
    .option('--out <file>', 'a new file (default: standard output)')
    .option('--reveal', 'write secret values instead of placeholders', false)
    .option('--from <owner>', 'owner tag to adopt from (default: derived from the location of the state)')
    .action((file: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<FromStateOptions>(), async (context) =>
        (await import('../commands/terraform/fromState.ts')).runFromState(context, file),
      ),
    );
  completePage(command, 'terraform-resources', [
    ['gantry terraform from-state terraform.tfstate --out shop.yaml', 'then: gantry apply shop.yaml'],
    ['terraform show -json | gantry terraform from-state - --format ts', 'from any backend'],
  ]);
}

function declareMigrate(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'migrate', [])
    .argument('<dir>', 'folder of the root module; folders below it are migrated too')
    .description('rewrite a configuration of another provider for this one, with import and removed blocks')
    .option('--names <file>', 'table of names of the other provider (YAML)')
    .option('--prefix <name>', 'beginning of its types, where there is no table: acme for acme_app')
    .option('--write', 'write the files (default: show what would change)', false)
    .action((dir: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<MigrateOptions>(), async (context) =>
        (await import('../commands/terraform/migrate.ts')).runMigrate(context, dir),
      ),
    );
  completePage(command, 'terraform-migration', [
    ['gantry terraform migrate . --names acme.yaml', 'what would change, and what you have to do by hand'],
    ['gantry terraform migrate . --names acme.yaml --write', 'then: terraform init && terraform plan'],
  ]);
}

function declareBindings(terraform: Command, launch: Launch): void {
  const command = addCommand(terraform, 'bindings', [])
    .description('write typed classes of the provider for CDKTN or CDKTF')
    .requiredOption('--out <dir>', 'folder to write to')
    .addOption(
      new Option('--for <tool>', 'tool to generate the classes for').choices(['cdktn', 'cdktf']).default('cdktn'),
    )
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<BindingsOptions>(), async (context) =>
        (await import('../commands/terraform/bindings.ts')).runBindings(context),
      ),
    );
  completePage(command, 'terraform-bindings', [['gantry terraform bindings --out .gen', 'see examples/cdktn']]);
}
