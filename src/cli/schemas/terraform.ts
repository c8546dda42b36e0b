import {
  choice,
  count,
  described,
  document,
  flag,
  list,
  object,
  objectOf,
  optional,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { errorMember } from '../../kinds/errorSchema.ts';

const error = optional(objectOf(errorMember));

export const mirrorForm = object({
  source: described('The address of the provider, for required_providers.', text),
  version: text,
  folder: described('The mirror: absolute.', text),
  files: described('What was written to it: absolute.', list(text)),
  error,
});

export const installationForm = object({
  source: described('The address of the provider, for required_providers.', text),
  version: text,
  platform: described('As Terraform calls this machine: linux_amd64.', text),
  folder: described('The mirror: absolute.', text),
  file: described('The executable that was written: absolute.', text),
  error,
});

export const cliConfigurationForm = object({
  folder: described('The folder of the provider: absolute.', text),
  text: described('The content of the file that TF_CLI_CONFIG_FILE names.', text),
  error,
});

const leftOut = object({
  id: described('The id of a resource, or the address of one that is not of this provider.', text),
  because: text,
});

export const exportForm = object({
  resources: described('What was written: ids, and their addresses.', list(object({ id: text, address: text }))),
  variables: described('Variables for sensitive values, which have to be set.', list(text)),
  skipped: list(leftOut),
  unknown: described(
    'Fields that the schema does not know. They are left out, and stay as they are.',
    list(object({ id: text, paths: list(text) })),
  ),
  file: described('The file that was written; without it the text is here.', optional(text)),
  text: optional(text),
  error,
});

export const fromStateForm = object({
  manifests: described('The manifests; sensitive values are placeholders without --reveal.', list(document)),
  skipped: described('What the state has beside them.', list(leftOut)),
  file: described('The file that was written; without it the text is here.', optional(text)),
  text: optional(text),
  error,
});

export const migrationForm = object({
  written: described('True with --write.', flag),
  files: described('Those that change, with their new text.', list(object({ path: text, isNew: flag, text }))),
  resources: described('Addresses, before and after.', list(object({ from: text, to: text }))),
  undone: described(
    'What has to be done by hand; lines are those before the change.',
    list(object({ file: text, line: count, what: text })),
  ),
  lines: described(
    'Of the configuration, without empty ones: those that stay as they are, and those in which only names change.',
    object({ all: count, same: count, renamed: count }),
  ),
  error,
});

export const bindingsForm = object({
  tool: choice('cdktn', 'cdktf'),
  package: described('The package that made them.', text),
  folder: described('Where they are: absolute.', text),
  error,
});

/** The document of `terraform providers schema -json`. */
export const providerSchemaSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/terraform-schema.json',
  title: 'Schema of the Gantry provider, as Terraform prints it',
  type: 'object',
  properties: {
    format_version: { const: '1.0' },
    provider_schemas: { type: 'object', description: 'By the address of the provider.' },
    error: errorMember,
  },
};

export const installationSchema = publishedForm(
  'terraform-installation',
  'Gantry Terraform installation',
  installationForm,
);
export const mirrorSchema = publishedForm('terraform-mirror', 'Gantry Terraform mirror', mirrorForm);
export const cliConfigurationSchema = publishedForm(
  'terraform-cli-configuration',
  'Gantry Terraform CLI configuration',
  cliConfigurationForm,
);
export const exportSchema = publishedForm('terraform-export', 'Gantry Terraform export', exportForm);
export const fromStateSchema = publishedForm('terraform-resources', 'Resources of a Terraform state', fromStateForm);
export const bindingsSchema = publishedForm('terraform-bindings', 'Gantry Terraform bindings', bindingsForm);
export const migrationSchema = publishedForm('terraform-migration', 'Gantry Terraform migration', migrationForm);
