import { counted } from '../../../base/text/counted.ts';
import { firstLines } from '../../../base/text/firstOf.ts';
import { summariseStatus } from '../../../change/documents/statusToJson.ts';
import {
  absent,
  type DnsRecord,
  type ResourceState,
  type ResourceStatus,
  resourceStates,
  type StackStatus,
  type VolumeUse,
} from '../../../change/status/status.ts';
import { cutMiddle, wrapPieces } from '../../../terminal/fit.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { printable } from '../../../terminal/printable.ts';
import { padText, textWidth } from '../../../terminal/textWidth.ts';
import { wrapText } from '../../../terminal/wrapText.ts';

interface StateLook {
  readonly symbol: string;
  readonly counted: string;
  readonly paint: keyof Palette;
}

/** How each state is shown. A state without an entry does not compile. */
export const stateLooks: Readonly<Record<ResourceState, StateLook>> = {
  ready: { symbol: '✓', counted: 'ready', paint: 'add' },
  'not-ready': { symbol: '…', counted: 'not ready', paint: 'change' },
  failed: { symbol: '✗', counted: 'failed', paint: 'refuse' },
};

export interface StatusLook {
  readonly palette: Palette;
  /** Of the terminal. */
  readonly columns: number;
}

/** More addresses, or records, of one resource than these are counted only: `-o json` has all. */
const mostListed = 3;
const shortestName = 24;
const longestName = 40;
const indent = '      ';

const absentNote = 'Absent: declared, but not on the platform. gantry apply creates it.';

/** The status for people. What needs somebody stands last, next to the counts. */
export function renderStatus(status: StackStatus, look: StatusLook): string {
  const { stack, org, resources, declarationsKnown, unlisted } = status;
  const { palette } = look;
  const longest = Math.max(0, ...resources.map(({ id }) => textWidth(printable(id))));
  const width = Math.min(longest, longestName, Math.max(shortestName, Math.floor(look.columns * 0.4)));
  const sorted = resourceStates.flatMap((state) => resources.filter((each) => each.state === state));
  const notes = [
    ...(resources.some(({ health }) => health === absent) ? [absentNote] : []),
    ...(declarationsKnown ? [] : ['No manifests were read: what is declared and absent is not known.']),
    ...(unlisted === undefined ? [] : [`Not all may be shown: ${printable(unlisted)}.`]),
  ];
  const blocks: readonly (readonly string[])[] = [
    [`${palette.strong('Stack')} ${printable(stack)} ${palette.faint(`in org ${printable(org)}`)}`],
    ...(sorted.length === 0 ? [] : [sorted.flatMap((resource) => renderResource(resource, width, look))]),
    ...notes.map((note) => wrapText(note, look.columns).map(palette.faint)),
    [renderCount(status, palette)],
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

/** `4 resources: 3 ready, 1 failed. Requests: 17.` */
export function renderCount({ resources, requests }: StackStatus, palette: Palette): string {
  const sent = `Requests: ${requests}.`;
  if (resources.length === 0) return `${palette.strong('Nothing belongs to this stack.')} ${sent}`;
  const counts = summariseStatus(resources);
  const parts = resourceStates
    .filter((state) => counts[state] > 0)
    .map((state) => palette[stateLooks[state].paint](`${counts[state]} ${stateLooks[state].counted}`));
  const all = counted(resources.length, 'resource');
  return `${palette.strong(`${all}:`)} ${parts.join(', ')}. ${sent}`;
}

/** A resource in one line where its facts fit into it; what is to be said besides stands below. */
function renderResource(resource: ResourceStatus, width: number, { palette, columns }: StatusLook): readonly string[] {
  const { symbol, paint } = stateLooks[resource.state];
  const margin = ' '.repeat(4 + width + 2);
  const facts = factsOf(resource).map(printable);
  const pieces = facts.map((fact, index) => (index < facts.length - 1 ? `${fact},` : fact));
  const [first = '', ...more] = wrapPieces(pieces, columns - margin.length);
  const name = padText(cutMiddle(printable(resource.id), width), width);
  return [
    `  ${palette[paint](symbol)} ${palette.strong(name)}  ${first}`,
    ...more.map((line) => `${margin}${line}`),
    ...linesOf(resource).flatMap((line) => wrapText(line, columns, indent)),
  ];
}

function factsOf(resource: ResourceStatus): readonly string[] {
  const { health, locations, replicas, version, processedVersion, volumes, declared, certificates } = resource;
  const behind = processedVersion !== undefined && version !== undefined && processedVersion < version;
  const certified = certificates?.filter(({ status }) => status === 'ready').length ?? 0;
  return [
    health,
    ...(locations === undefined ? [] : [`${locations.ready} of ${locations.total} locations`]),
    ...(replicas === undefined || replicas.total === 0 ? [] : [`${replicas.ready} of ${replicas.total} replicas`]),
    ...(volumes === undefined ? [] : [useText(volumes)]),
    ...(certified === 0 ? [] : [counted(certified, 'certificate')]),
    ...(version === undefined ? [] : [`version ${version}${behind ? ` (processed: ${processedVersion})` : ''}`]),
    ...(declared === false ? ['not declared'] : []),
  ];
}

function linesOf({ health, endpoints = [], reasons, dnsRecords = [] }: ResourceStatus): readonly string[] {
  if (health === absent) return []; // told once for all
  return [
    ...firstLines(endpoints.map(printable), mostListed),
    ...reasons.map(printable),
    ...firstLines(dnsRecords.map(dnsText), mostListed),
  ];
}

function dnsText({ type, host, value }: DnsRecord): string {
  return printable(`make the DNS record ${type} ${host} ${value}`);
}

function useText({ count, capacityGb, usedGb }: VolumeUse): string {
  if (count === 0) return 'no volumes';
  return `${gigabytes(usedGb)} of ${gigabytes(capacityGb)} GB used in ${counted(count, 'volume')}`;
}

/** `0.5`, `12`: below ten with one decimal. */
function gigabytes(gb: number): string {
  return String(gb < 10 ? Math.round(gb * 10) / 10 : Math.round(gb));
}
