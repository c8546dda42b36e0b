import type { Kind } from '../../../schema/kinds.ts';

interface KindWords {
  /** In a sentence. */
  readonly one: string;
  readonly many: string;
  /** What it is, in one or two sentences. */
  readonly about: string;
}

const words: Readonly<Record<Kind, KindWords>> = {
  agent: {
    one: 'agent',
    many: 'agents',
    about: 'An agent runs in a private network, and lets identities reach resources there.',
  },
  auditctx: {
    one: 'audit context',
    many: 'audit contexts',
    about: 'A named audit trail that clients write events of their own into. It is never deleted.',
  },
  cloudaccount: {
    one: 'cloud account',
    many: 'cloud accounts',
    about: 'An account at a cloud provider, for identities to get access there.',
  },
  deployment: {
    one: 'deployment',
    many: 'deployments',
    about: 'What runs of a workload in one location. The platform writes it.',
  },
  domain: {
    one: 'domain',
    many: 'domains',
    about: 'A DNS name that leads to workloads, with its routes and its TLS certificate.',
  },
  group: { one: 'group', many: 'groups', about: 'Users and service accounts, named together in policies.' },
  gvc: {
    one: 'GVC',
    many: 'GVCs',
    about: 'A global virtual cloud: the locations in which its workloads run, and what they have in common.',
  },
  identity: {
    one: 'identity',
    many: 'identities',
    about: 'Whom a workload acts as: its rights on the platform, at cloud providers and in private networks.',
  },
  image: { one: 'image', many: 'images', about: 'A container image in the registry of the org.' },
  ipset: { one: 'IP set', many: 'IP sets', about: 'Reserved public addresses of a workload or a GVC.' },
  location: { one: 'location', many: 'locations', about: 'A region of a cloud provider, or a cluster of your own.' },
  org: { one: 'org', many: 'orgs', about: 'The organisation that all other records belong to.' },
  policy: { one: 'policy', many: 'policies', about: 'Gives principals permissions on records of one kind.' },
  quota: { one: 'quota', many: 'quotas', about: 'How much of something an org may use.' },
  secret: {
    one: 'secret',
    many: 'secrets',
    about: 'A value that answers do not show; `-reveal` does, with the permission `reveal`.',
  },
  serviceaccount: {
    one: 'service account',
    many: 'service accounts',
    about: 'A principal for programs. Its keys are tokens of this API.',
  },
  task: { one: 'task', many: 'tasks', about: 'A question to a user, such as the invitation to join an org.' },
  user: { one: 'user', many: 'users', about: 'A person in the org, named by an e-mail address.' },
  volumeset: {
    one: 'volume set',
    many: 'volume sets',
    about: 'Persistent volumes of the replicas of a stateful workload.',
  },
  workload: {
    one: 'workload',
    many: 'workloads',
    about: 'Containers that run in every location of a GVC: a service, a cron job, or a virtual machine.',
  },
};

export function wordsOf(kind: Kind): KindWords {
  return words[kind];
}

/** With its article: `an agent`. */
export function aKind(kind: Kind): string {
  const { one } = words[kind];
  return `${/^[aeioA]/.test(one) || one === 'IP set' ? 'an' : 'a'} ${one}`;
}
