import { withArticle } from '../base/text/article.ts';
import { isKnownKind, type Kind, type KnownKind } from '../schema/record/kinds.ts';

interface KindWords {
  /** The name of one record in a sentence. */
  readonly one: string;
  readonly many: string;
  /** A description in one or two sentences. */
  readonly about: string;
}

const words: Readonly<Record<KnownKind, KindWords>> = {
  agent: {
    one: 'agent',
    many: 'agents',
    about: 'A program in a private network, through which identities reach resources there.',
  },
  auditctx: {
    one: 'audit context',
    many: 'audit contexts',
    about: 'An audit trail with a name, into which clients write their own events. It cannot be deleted.',
  },
  cloudaccount: {
    one: 'cloud account',
    many: 'cloud accounts',
    about: 'An account at a cloud provider that identities get access to.',
  },
  deployment: {
    one: 'deployment',
    many: 'deployments',
    about: 'A workload as it runs in one location. The platform writes it.',
  },
  domain: {
    one: 'domain',
    many: 'domains',
    about: 'A DNS name that leads to workloads, with its routes and its TLS certificate.',
  },
  group: { one: 'group', many: 'groups', about: 'Users and service accounts that policies name together.' },
  gvc: {
    one: 'GVC',
    many: 'GVCs',
    about: 'A global virtual cloud: a set of locations, and the settings that its workloads share.',
  },
  identity: {
    one: 'identity',
    many: 'identities',
    about: 'Who a workload acts as: what it may do on the platform, at cloud providers and in private networks.',
  },
  image: { one: 'image', many: 'images', about: 'A container image in the registry of the org.' },
  ipset: { one: 'IP set', many: 'IP sets', about: 'Public IP addresses that are reserved for a workload or a GVC.' },
  location: { one: 'location', many: 'locations', about: 'A region of a cloud provider, or a cluster of your own.' },
  org: { one: 'org', many: 'orgs', about: 'The organisation that all other records belong to.' },
  policy: {
    one: 'policy',
    many: 'policies',
    about: 'Gives users, groups, service accounts and identities permissions on records of one kind.',
  },
  quota: { one: 'quota', many: 'quotas', about: 'A limit on how much an org may use.' },
  secret: {
    one: 'secret',
    many: 'secrets',
    about:
      'A password, a key, a certificate or another sensitive value. Answers leave the value out; only ' +
      '`-reveal` shows it.',
  },
  serviceaccount: {
    one: 'service account',
    many: 'service accounts',
    about: 'An account for programs. Its keys are tokens of this API.',
  },
  task: { one: 'task', many: 'tasks', about: 'A request to a user, such as an invitation to join an org.' },
  user: { one: 'user', many: 'users', about: 'A person in the org, with an e-mail address as the name.' },
  volumeset: {
    one: 'volume set',
    many: 'volume sets',
    about: 'Persistent volumes of the replicas of a stateful workload.',
  },
  workload: {
    one: 'workload',
    many: 'workloads',
    about:
      'Containers that run in every location of a GVC: a service, a cron job, or (an extension) a virtual machine.',
  },
};

export function wordsOf(kind: Kind): KindWords {
  return isKnownKind(kind) ? words[kind] : { one: kind, many: `records of kind ${kind}`, about: 'A custom kind.' };
}

/** With an article: `an agent`. */
export function aKind(kind: Kind): string {
  return withArticle(wordsOf(kind).one);
}
