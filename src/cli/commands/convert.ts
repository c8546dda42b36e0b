import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { objectsIn, readTextOf } from '../../commands/call/input.ts';
import { checkRecord } from '../../kinds/registry.ts';
import { toYaml } from '../../project/files/toYaml.ts';
import { resolveSettings } from '../../project/settings/resolveSettings.ts';
import { readSettingsFile } from '../../project/settings/settingsFile.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { contextOf, refTo } from '../../schema/record/ref.ts';
import { withoutLastLineEnd } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { renderTable } from '../../terminal/table.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { conversionForm } from '../schemas/commands.ts';
import {
  type Converted,
  definedMembers,
  type Note,
  protocolOf,
  Source,
  volumeSetManifest,
  type Workload,
  workloadManifest,
} from './convertFiles.ts';
import { convertKubernetes } from './convertKubernetes.ts';

export interface ConvertOptions extends OutputOptions {
  readonly gvc?: string;
  readonly location: readonly string[];
}

/** Prints manifests for files of Kubernetes and Compose. Errors: `input.file`, `input.unknown`, `cli.usage`. */
export async function runConvert(context: CommandContext<ConvertOptions>, files: readonly string[]): Promise<Ending> {
  const { options, terminal, answer, cwd, environment } = context;
  const flags = present({ gvc: options.gvc });
  const { gvc } = resolveSettings({ flags, environment, file: await readSettingsFile(cwd) });
  if (gvc === undefined) {
    throw new UsageError(
      'the GVC of the manifests is not known',
      'Give --gvc NAME, GANTRY_GVC, or gvc in gantry.yaml.',
    );
  }
  const documents = (await Promise.all(files.map((file) => documentsIn(context, file)))).flat();
  const objects = documents.filter(({ value }) => own(value, 'services') === undefined);
  const converted: readonly Converted[] = [
    convertKubernetes(
      objects.map((each) => requireKubernetes(each)),
      gvc,
    ),
    ...documents.filter((each) => !objects.includes(each)).map(({ value }) => convertCompose(value, gvc)),
  ];
  const home: readonly JsonObject[] =
    options.location.length === 0
      ? []
      : [
          {
            kind: 'gvc',
            name: gvc,
            spec: { staticPlacement: { locationLinks: options.location.map((name) => `//location/${name}`) } },
          },
        ];
  const manifests = [...home, ...converted.flatMap((each) => each.manifests)];
  const notes = [
    ...converted.flatMap((each) => each.notes),
    ...manifests.flatMap(nameNotes),
    ...repeatedNames(manifests),
  ];
  if (options.output !== 'text') {
    answer.document(conversionForm.write({ manifests, notes }));
    return exitCode.ok;
  }
  if (manifests.length === 0) terminal.message('There is nothing to convert.');
  else terminal.result(withoutLastLineEnd((await Promise.all(manifests.map(toYaml))).join('---\n')));
  if (notes.length > 0) {
    const rows = notes.map(({ about, message }) => [about, message]);
    const look = {
      palette: terminal.messagePalette,
      width: terminal.live ? terminal.size().columns : Number.POSITIVE_INFINITY,
    };
    terminal.message(`\n${renderTable([{ title: 'NOT CONVERTED' }, { title: 'WHY' }], rows, look)}`);
  }
  return exitCode.ok;
}

/**
 * Notes on names that are valid only on the other platform. Programs may use them to call each other, so the user must
 * choose new ones.
 */
function nameNotes(manifest: JsonObject): readonly Note[] {
  const [kind, name = '', gvc] = [
    kindNamed(own(manifest, 'kind')),
    stringAt(manifest, 'name'),
    stringAt(manifest, 'gvc'),
  ];
  if (kind === undefined) return [];
  const { kind: _, gvc: _gvc, ...record } = manifest;
  const context = contextOf(refTo(kind, name, gvc), '');
  return checkRecord(kind, record, context, 'offline')
    .filter(({ pointer: [field] }) => field === 'name')
    .map(({ message }) => ({
      about: `${kind}/${name}`,
      message: `${message}: give it another one here, and in all that names it`,
    }));
}

/** Notes on names that are used twice, such as those of several namespaces. */
function repeatedNames(manifests: readonly JsonObject[]): readonly Note[] {
  const byName = Map.groupBy(manifests, (each) => `${stringAt(each, 'kind')}/${stringAt(each, 'name')}`);
  return [...byName].flatMap(([about, { length }]) =>
    length > 1
      ? [{ about, message: `${length} manifests have this name: give each another one, and in all that names it` }]
      : [],
  );
}

interface FileDocument {
  readonly file: string;
  readonly value: JsonObject;
}

async function documentsIn(context: CommandContext<ConvertOptions>, file: string): Promise<readonly FileDocument[]> {
  return objectsIn(await readTextOf({ context }, file), file).map((value) => ({ file, value }));
}

function requireKubernetes({ file, value }: FileDocument): JsonObject {
  if (own(value, 'apiVersion') !== undefined) return value;
  throw new ToolError({
    code: 'input.unknown',
    message: `${file} is neither a manifest of Kubernetes nor a Compose file`,
    hint: 'The first has apiVersion and kind, the second has services.',
  });
}

/** Keys about starting and finding containers on one machine: here every workload starts, restarts and is found. */
const ignoredKeys = /^(?:restart|container_name|networks|hostname|pull_policy|stop_signal|init|tty|stdin_open|links)\b/;

/** Converts services of a Compose file to manifests of one GVC. */
function convertCompose(document: JsonObject, gvc: string): Converted {
  const notes: Note[] = [];
  const declared = new Set(Object.keys(objectAt(document, 'volumes')));
  const sets = new Set<string>();
  const workloads = Object.entries(objectAt(document, 'services')).map(([name, service]) => {
    const source = new Source(service);
    const workload = workloadOf({
      name: nameOf(name),
      gvc,
      source,
      declared,
      sets,
      note: (message) => notes.push({ about: `service/${name}`, message }),
    });
    const left = source.unusedPaths().filter((path) => !ignoredKeys.test(path));
    notes.push(...left.map((path) => ({ about: `service/${name} ${path}`, message: 'this field has no counterpart' })));
    const sensitive = workload.containers.flatMap((container) =>
      listAt(container, 'env')
        .filter(isObject)
        .filter(({ value }) => isObject(value ?? null))
        .map((each) => `spec.containers.main.env.${stringAt(each, 'name')}.value`),
    );
    const manifest = workloadManifest(workload);
    return sensitive.length === 0 ? manifest : { ...manifest, lifecycle: { sensitive } };
  });
  for (const part of ['secrets', 'configs', 'include']) {
    for (const name of Object.keys(objectAt(document, part))) {
      notes.push({
        about: `${part}/${name}`,
        message: 'it has no counterpart; create a secret: gantry secret create-opaque',
      });
    }
  }
  return {
    manifests: [...[...sets].map((name) => volumeSetManifest(gvc, nameOf(name), undefined, false)), ...workloads],
    notes,
  };
}

/** A valid name: underscores are not allowed here. */
function nameOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
}

interface Service {
  readonly name: string;
  readonly gvc: string;
  readonly source: Source;
  /** The named volumes of the file. */
  readonly declared: ReadonlySet<string>;
  /** The named volumes that are mounted. */
  readonly sets: Set<string>;
  readonly note: (message: string) => void;
}

function workloadOf({ name, gvc, source, declared, sets, note }: Service): Workload {
  const published = source.has('ports') ? portsOf(source.take('ports'), note) : [];
  const isPublic = published.some(({ isLocal }) => !isLocal);
  if (published.length > 0 && !isPublic) note('its ports are published on a loopback address, so it is not public');
  const exposed = portsOf([...source.texts('expose')], note);
  const numbers = [...new Set([...published, ...exposed].map(({ number }) => number))];
  const mounts = listAt({ volumes: source.take('volumes') ?? [] }, 'volumes').flatMap((volume): JsonObject[] => {
    const { from, path } = mountOf(volume);
    if (from === undefined || !declared.has(from)) {
      note(`the volume ${from ?? ''}:${path} is a folder of this machine, which has no counterpart`);
      return [];
    }
    sets.add(from);
    return [{ uri: `scheme://volumeset/${nameOf(from)}`, path }];
  });
  const deploy = source.object('deploy');
  const limits = deploy.object('resources').object('limits');
  const [entry, ...before] = splitWords(source.take('entrypoint'));
  const rest = splitWords(source.take('command'));
  const image = source.text('image');
  if (image === undefined) note('it is built from a folder: push the image, and name it in spec.containers.main.image');
  const grace = source.text('stop_grace_period');
  const args = [...before, ...rest];
  const container = definedMembers({
    name: 'main',
    image: image ?? `//image/${name}:latest`,
    command: entry,
    args: args.length > 0 ? args : undefined,
    workingDir: source.text('working_dir'),
    cpu: limits.text('cpus'),
    memory: memoryOf(limits.text('memory')),
    env: variablesOf(source.take('environment'), note),
    ports:
      numbers.length > 0 ? numbers.map((number) => ({ number, protocol: protocolOf(undefined, number) })) : undefined,
    readinessProbe: probeOf(source.object('healthcheck')),
    volumes: mounts.length > 0 ? mounts : undefined,
  });
  return {
    gvc,
    name,
    type: mounts.length > 0 ? 'stateful' : 'standard',
    containers: [container],
    replicas: deploy.number('replicas') ?? 1,
    terminationSeconds: grace === undefined ? undefined : secondsOf(grace),
    isPublic,
    secrets: new Set(),
  };
}

/** The container ports of `80`, `8080:80`, `127.0.0.1:8080:80/udp` and `{target: 80, host_ip: '::1'}`. */
function portsOf(
  ports: JsonValue | undefined,
  note: (message: string) => void,
): readonly { readonly number: number; readonly isLocal: boolean }[] {
  return (isArray(ports) ? ports : []).flatMap((port) => {
    const { target, host_ip: host, protocol = 'tcp' } = isObject(port) ? port : shortPort(String(port));
    if (!/^\d+$/.test(String(target))) {
      note(`the port ${String(target)} is not a single number, and was left out`);
      return [];
    }
    if (protocol === 'udp') note(`port ${String(target)} is UDP, and there is TCP only`);
    return [{ number: Number(target), isLocal: /^(?:127\.|::1$)/.test(String(host)) }];
  });
}

function shortPort(port: string): JsonObject {
  const [, host, target = port, protocol] = /^(?:\[?(.*?)\]?:)??(?:[^:]*:)?([^:/]+)(?:\/(.*))?$/.exec(port) ?? [];
  return definedMembers({ host_ip: host, target, protocol });
}

/** `data:/var/lib/data:ro`, or the long form. */
function mountOf(volume: JsonValue): { readonly from: string | undefined; readonly path: string } {
  if (isObject(volume)) return { from: stringAt(volume, 'source'), path: stringAt(volume, 'target') ?? '' };
  const [from, path] = String(volume).split(':');
  return path === undefined ? { from: undefined, path: from ?? '' } : { from, path };
}

/** Splits a text like a shell, including quotation marks. */
function splitWords(command: JsonValue | undefined): readonly string[] {
  if (isArray(command)) return command.map(String);
  if (typeof command !== 'string') return [];
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function variablesOf(
  environment: JsonValue | undefined,
  note: (message: string) => void,
): readonly JsonObject[] | undefined {
  const pairs = isArray(environment)
    ? environment.map((each): [string, JsonValue | undefined] => {
        const [key = '', ...value] = String(each).split('=');
        return [key, value.length === 0 ? undefined : value.join('=')];
      })
    : Object.entries(isObject(environment) ? environment : {});
  if (pairs.length === 0) return undefined;
  return pairs.map(([name, value]) => {
    const variable = /^\$\{?(\w+)\}?$/.exec(String(value ?? `$${name}`))?.[1];
    if (variable !== undefined) return { name, value: { fromEnv: variable } };
    if (/\$\{?\w/.test(String(value))) note(`${name} has a variable in its value, which is not replaced`);
    return { name, value: String(value) };
  });
}

function probeOf(check: Source): JsonObject | undefined {
  if (check.take('disable') === true) return undefined;
  const test = check.take('test');
  const [how, ...rest] = isArray(test) ? test.map(String) : test === undefined ? [] : ['CMD-SHELL', String(test)];
  if (how === undefined || how === 'NONE') return undefined;
  const seconds = (key: string) => {
    const text = check.text(key);
    return text === undefined ? undefined : secondsOf(text);
  };
  return definedMembers({
    exec: { command: how === 'CMD' ? rest : ['sh', '-c', ...rest] },
    periodSeconds: seconds('interval'),
    timeoutSeconds: seconds('timeout'),
    failureThreshold: check.number('retries'),
    initialDelaySeconds: seconds('start_period'),
  });
}

/** Parses `1m30s`. */
function secondsOf(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
  return [...text.matchAll(/(\d+)([hms])(?!s)/g)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
}

/** Parses `512M`, `1g`: Compose counts in 1024. */
function memoryOf(text: string | undefined): string | undefined {
  const [, amount, unit = ''] = /^(\d+)([kmg])b?$/i.exec(text ?? '') ?? [];
  return amount === undefined ? text : `${amount}${unit.toLowerCase() === 'k' ? 'K' : unit.toUpperCase()}i`;
}
