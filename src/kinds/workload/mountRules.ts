import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { itemsAt, show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup, type Subject } from '../../schema/rules/rule.ts';
import { workloadView } from './workloadView.ts';

/** The mounts of a container, or of the proxy beside it. */
type MountList = readonly Mount[];

interface Mount {
  readonly pointer: Pointer;
  readonly uri: string | undefined;
  readonly path: string | undefined;
}

function mountList(owner: JsonObject, at: Pointer): MountList {
  return itemsAt(owner, 'volumes').map(({ index, value }) => ({
    pointer: [...at, 'volumes', index],
    uri: stringAt(value, 'uri'),
    path: stringAt(value, 'path'),
  }));
}

function mountLists(subject: Subject): readonly MountList[] {
  const proxy = objectAt(objectAt(objectAt(subject.record, 'spec'), 'sidecar'), 'proxy');
  const lists = [mountList(proxy, ['spec', 'sidecar', 'proxy'])];
  if (subject.kind === 'workload') {
    for (const { value, pointer } of workloadView(subject).containers) lists.push(mountList(value, pointer));
  }
  return lists;
}

function withoutSlash(path: string): string {
  return path === '/' ? path : path.replace(/\/+$/, '');
}

const reservedPaths: ReadonlySet<string> = new Set(['/dev', '/dev/log', '/tmp', '/var', '/var/log']);

const paths: RuleOf<readonly MountList[]> = {
  id: 'W28',
  section: 'workload.volumes',
  title: 'A volume is mounted at an absolute path, not at /dev, /dev/log, /tmp, /var or /var/log.',
  severity: 'error',
  fix: 'Mount it at a path of its own, such as /data.',
  record(lists, report) {
    for (const { path, pointer } of lists.flat()) {
      if (path === undefined) continue;
      if (!path.startsWith('/')) report([...pointer, 'path'], `the path ${show(path)} must be absolute`);
      else if (reservedPaths.has(withoutSlash(path))) {
        report([...pointer, 'path'], `the path ${show(path)} is reserved by the platform`);
      }
    }
  },
};

const nesting: RuleOf<readonly MountList[]> = {
  id: 'W29',
  section: 'workload.volumes',
  title: 'The volumes of a container have different paths, none inside another.',
  severity: 'error',
  fix: 'Mount each volume at a path outside the others.',
  record(lists, report) {
    for (const mounts of lists) {
      for (const [index, mount] of mounts.entries()) {
        const path = mount.path === undefined ? undefined : withoutSlash(mount.path);
        if (path === undefined) continue;
        for (const [otherIndex, other] of mounts.entries()) {
          if (other.path === undefined || otherIndex === index) continue;
          const outer = withoutSlash(other.path);
          const pointer = [...mount.pointer, 'path'];
          if (outer === path && otherIndex < index) report(pointer, `two volumes may not be mounted at ${show(path)}`);
          else if (path.startsWith(outer === '/' ? '/' : `${outer}/`) && path !== outer) {
            report(pointer, `the path ${show(path)} may not be inside ${show(outer)}, where another volume is mounted`);
          }
        }
      }
    }
  },
};

const foreignSchemes: ReadonlySet<string> = new Set(['s3', 'gs', 'azureblob', 'azurefs', 'scratch', 'k8s']);
const ownUri = /^scheme:\/\/(?:volumeset\/[^/]+|secret\/[^/]+)$/;

const uris: RuleOf<readonly MountList[]> = {
  id: 'W30',
  section: 'workload.volumes',
  title:
    'The uri of a volume is s3, gs, azureblob, azurefs, scratch, k8s, ' +
    'scheme://volumeset/NAME or scheme://secret/NAME[.KEY].',
  severity: 'error',
  fix: 'Write for example scheme://volumeset/data, scheme://secret/tls.key or s3://bucket.',
  record(lists, report) {
    for (const { uri, pointer } of lists.flat()) {
      if (uri === undefined || ownUri.test(uri)) continue;
      const scheme = uri.split('://')[0] ?? '';
      if (!uri.includes('://') || !foreignSchemes.has(scheme)) {
        report([...pointer, 'uri'], `${show(uri)} is not a volume URI`);
      }
    }
  },
};

export const mountRules = ruleGroup(['workload', 'gvc'], mountLists, [paths, nesting, uris]);
