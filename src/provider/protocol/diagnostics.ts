import { compact, present } from '../../base/json/present.ts';
import { causeText } from '../../base/thrown.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Attributes, AttributeType, NestedAttribute } from '../../hcl/attribute.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { type SettingRow, settingsTable } from '../../project/settings/settingsTable.ts';
import type { Message } from './messages.ts';

const severities = { error: 1, warning: 2 } as const;

/** `attributes`: those of the schema that the path is in; without them the diagnostic has no path. */
export function diagnosticMessage(
  { severity, summary, detail, path = [] }: Diagnostic,
  attributes?: Attributes,
): Message<'Diagnostic'> {
  const attribute = attributes === undefined ? undefined : pathMessage(path, attributes);
  return {
    severity: severities[severity],
    summary,
    detail,
    ...present({ attribute: attribute?.steps?.[0] === undefined ? undefined : attribute }),
  };
}

/** Stops where Terraform cannot follow: in a set, whose items have no names, and in a value of any type. */
export function pathMessage(path: AttributePath, attributes: Attributes): Message<'AttributePath'> {
  return { steps: stepsInObject(path, attributes) };
}

type Steps = readonly Message<'Step'>[];

function stepsInObject([name, ...rest]: AttributePath, attributes: Attributes): Steps {
  const attribute = typeof name === 'string' && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (typeof name !== 'string' || attribute === undefined) return [];
  const inside = 'type' in attribute ? stepsInType(rest, attribute.type) : stepsInNested(rest, attribute);
  return [{ attribute_name: name }, ...inside];
}

function stepsInNested(path: AttributePath, { nesting, attributes }: NestedAttribute): Steps {
  if (nesting === 'single') return stepsInObject(path, attributes);
  const [key, ...rest] = path;
  if (key === undefined || nesting === 'set') return [];
  return [keyStep(key), ...stepsInObject(rest, attributes)];
}

function stepsInType([key, ...rest]: AttributePath, type: AttributeType): Steps {
  if (key === undefined || typeof type === 'string' || type[0] === 'set') return [];
  return [keyStep(key), ...stepsInType(rest, type[1])];
}

function keyStep(key: string | number): Message<'Step'> {
  return typeof key === 'number' ? { element_key_int: key } : { element_key_string: key };
}

/** Hints that replace those with options of the command line. */
const hints: Readonly<Record<string, string>> = {
  'api.tls':
    'Trust the certificate: ca_file of the provider block, or the variable NODE_EXTRA_CA_CERTS, names a file with it.',
  'api.unauthorized': 'Check token and token_file of the provider block, and the variable GANTRY_TOKEN.',
  'api.redirect': 'Check endpoint of the provider block, and the variable GANTRY_ENDPOINT.',
  'apply.not-ready':
    'It was written, and is in the state. `terraform untaint` keeps a new resource; timeouts sets how long is waited.',
  'client.token': 'Copy it again: token or token_file of the provider block, or the variable GANTRY_TOKEN.',
  'data.unusable': 'Name another folder as embedded in the provider block, or correct its permissions.',
  'dialect.file': 'Name a YAML file with words and names as dialect in the provider block, or by GANTRY_DIALECT.',
  'server.other-org': 'Name that org in the provider block, or another folder as embedded.',
};

/** The hint with the attributes of the provider block instead of the options of the command line. */
function inAttributes(hint: string): string {
  return Object.values(settingsTable).reduce((text, { flags, attribute }: SettingRow) => {
    const [option] = flags?.split(' ') ?? [];
    return option === undefined || attribute === undefined
      ? text
      : text.replace(new RegExp(`${option}(?![\\w-])`, 'g'), attribute);
  }, hint);
}

/** An error as one diagnostic: an actionable message, or our own mistake without its trace. */
export function diagnosticOf(error: unknown, during: string): Diagnostic {
  if (error instanceof ToolError) {
    const { message, hint, causes, code } = error;
    const others = causes.filter((cause) => !message.includes(cause.message)).map((cause) => `- ${cause.message}`);
    const fix = hints[code] ?? (hint === undefined ? undefined : inAttributes(hint));
    const detail = compact([fix, ...others, `(${code})`]).join('\n');
    return { severity: 'error', summary: capitalised(message), detail };
  }
  const reason = causeText(error);
  return {
    severity: 'error',
    summary: `The Gantry provider made a mistake in ${during}`,
    detail: `${reason}\nThis is a fault of the provider: please report it, with the configuration of this resource.`,
  };
}

/** Capitalised like Terraform's sentences; a name at the beginning (`gvc/shop`, `spec.containers`) stays as it is. */
function capitalised(text: string): string {
  return /^[a-z]+[ ,:]/.test(text) ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}
