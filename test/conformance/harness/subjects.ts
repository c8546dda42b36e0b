import type { JsonObject } from '../../../src/base/json/json.ts';
import { containerOf, type Subject, subjectOf } from './fieldRows.ts';
import { container, specOf, town } from './fixtures.ts';
import type { Wire } from './wire.ts';

type Base = Subject['base'];

/** A GVC with this spec. */
export function gvcWith(spec: JsonObject = {}): Subject {
  return subjectOf(async (wire) => ({ collection: 'gvc', record: { name: wire.name('gvc'), spec } }));
}

function workloadBase(spec: JsonObject): Base {
  return async (wire) => ({
    collection: `gvc/${await town(wire)}/workload`,
    record: { name: wire.name('work'), spec },
  });
}

/** A workload of a type with more members in its spec. */
export function workloadWith(type: string, more: JsonObject = {}): Subject {
  return subjectOf(workloadBase(specOf(type, more)));
}

/** The container of a workload of a type. */
export function containerIn(type: string, more: JsonObject = {}): Subject {
  return containerOf(workloadBase(specOf(type, { containers: [container(more)] })));
}

/** A volume set of 10 GB with more members in its spec. */
export function volumeSetWith(more: JsonObject = {}): Subject {
  const least = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
  return subjectOf(async (wire) => ({
    collection: `gvc/${await town(wire)}/volumeset`,
    record: { name: wire.name('disk'), spec: { ...least, ...more } },
  }));
}

/** An apex domain with this spec. */
export function domainWith(spec: JsonObject | ((wire: Wire) => Promise<JsonObject>) = {}): Subject {
  return subjectOf(async (wire) => ({
    collection: 'domain',
    record: { name: `${wire.name('shop')}.com`, spec: typeof spec === 'function' ? await spec(wire) : spec },
  }));
}
