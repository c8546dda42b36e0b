import type { Assumption } from './assumption.ts';

/** Assumptions that no run tests: each row states the consequences if it is wrong. */
export const unlearntRows = {
  'read.paths': {
    assumed:
      'A resource is at /org/ORG/KIND/NAME, or at /org/ORG/gvc/GVC/KIND/NAME, with the singular name of its kind.',
    section: '4.4',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'The platform answers 404: what is declared is taken for absent, and its creation is refused by the platform.',
  },
  'read.unique-names': {
    assumed: 'A name is unique within its kind, and within its GVC for kinds that live in one.',
    section: '4.4',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'The record that the platform answers for the name is the one that is changed.',
  },
  'read.stable-ids': {
    assumed: 'The `id` of a record stays, and what is created anew under its name has another one.',
    section: '2.1',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'A record with another id counts as another record, and nothing that was planned for the first is written to it.',
  },
  'read.steady-pages': {
    assumed: 'A record does not move between the pages of a list while they are read.',
    section: '4.1',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise: 'A record that was missed is not pruned by this run, and its creation is refused by the platform.',
  },
  'read.refusals': {
    assumed: 'A refusal is JSON with `message`, `code` and `details`.',
    section: '7',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'The status alone is shown.',
  },
  'read.transient': {
    assumed: 'The statuses 408, 425, 429, 500, 502, 503 and 504 pass if a request is sent again.',
    section: '7',
    evidence: 'observed',
    learnt: 'not learnt',
    otherwise: 'The request is sent again in vain, and the command ends with exit code 6.',
  },
  'read.quota': {
    assumed: 'A 429 with the word quota in its message is permanent.',
    section: '8',
    evidence: 'observed',
    learnt: 'not learnt',
    otherwise: 'The request is sent again in vain, and the command ends with exit code 6.',
  },
  'read.retry-after': {
    assumed: 'A Retry-After is in seconds, or a date by the clock of the Date header.',
    section: '8',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Pauses between repetitions double, up to 20 s.',
  },
  'read.deployment-status': {
    assumed: 'The status of a deployment says `ready`, `lastProcessedVersion` and `expectedDeploymentVersion`.',
    section: '2.4',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Nothing is known to be ready: waiting ends after --wait-timeout, and what was written stays.',
  },
  'read.domain-status': {
    assumed: 'The status of a domain is `ready` once it serves, and lists the DNS records to create.',
    section: '2.5',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Nothing is known to be ready: waiting ends after --wait-timeout, and what was written stays.',
  },
  'read.org': {
    assumed: 'GET /org/ORG answers 404 where there is no such org, and GET /org lists those that the token may see.',
    section: '4.4',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'Where no collection answers either, a 404 is taken for an org that is not there, and nothing is planned. Elsewhere ' +
      'they only explain a 404: a misspelt org is not reported as such.',
  },
  'read.user-by-email': {
    assumed: 'GET /org/ORG/user/-for/email/ADDRESS answers with the user of that address, and 404 where there is none.',
    section: '4.4',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'Only `gantry group add-member` asks it: an address that answers 404 is named and left out, and any other refusal ends ' +
      'the command before it writes.',
  },
  'read.exporters': {
    assumed:
      'The `endpoints` of /discovery say where `terraform-exporter` and `k8s-crd-exporter` are, and GET of the path of a ' +
      'record below them answers with the export.',
    section: '4.1',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Only `-o tf` and `-o crd` need them: they are refused, and the error names the exporter.',
  },
  'link.short': {
    assumed: 'In a link field `//` is short for /org/ORG/, and the platform may answer the long form.',
    section: '2.2',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'A short form that the platform refuses is its error; links are compared in any form, with a host in front too.',
    test: 'test/schema/links.test.ts',
  },
  'link.secrets': {
    assumed: 'A value scheme://secret/NAME refers to a secret, and to one of its keys with .KEY behind it.',
    section: '2.4.1',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'The value is written as it is declared; only the order of creation and the warnings depend on it.',
  },
  'access.hidden': {
    assumed: 'Lists and queries silently omit what the token cannot view.',
    section: '5',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'A list that says what it hides is read as any other list.',
  },
  'access.grants': {
    assumed: 'A policy for all records of a kind, or for all in a GVC, that grants `view` or `manage` shows them all.',
    section: '5',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'What may be hidden is not known: a deletion of a GVC that hides records goes by what its lists show.',
  },
  'audit.whole': {
    assumed: 'The trail holds every write of a record since it was made.',
    section: '6',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise: 'A write that the trail lacks is not attributed to any writer; nothing that is planned depends on it.',
  },
  'audit.versions': {
    assumed: 'An event of a record says the version that the record had after the write.',
    section: '6',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'The event is left out, and who wrote that version is not known.',
  },
  'secret.answers': {
    assumed: 'The answer to a write of a secret may hold its values.',
    section: '4.1',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise: 'No output depends on it: fields of secrets are masked wherever they come from.',
  },
  'write.spent-name': {
    assumed: 'A 410 to a POST means that the platform does not give this name again.',
    section: '7',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise:
      'The creation is not sent again, and the step fails. After a deletion of the same run, later runs refuse a ' +
      'replacement under the same name before it deletes (delete.name-reusable).',
    test: 'test/client/answers.test.ts',
  },
  'write.atomic': {
    assumed: 'A PATCH is carried out as a whole, or not at all.',
    section: '4.2',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise:
      'The answer is compared with the whole record that was proven, and the first difference stops all writes.',
  },
  'write.order-of-directives': {
    assumed: 'In one body `$drop` comes first, then `$replace`, merged fields, and the directives of lists.',
    section: '4.2',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise:
      'The answer is compared with the whole record that was proven, and the first difference stops all writes.',
  },
  'write.conflict': {
    assumed: 'A 409 to a PATCH or DELETE means that the record was changed, or is busy.',
    section: '7',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'The record is read again: with the planned version the write is repeated for a while, with another one it stops.',
  },
  'write.references': {
    assumed: 'A link to what does not exist is refused, or does no harm.',
    section: '7',
    evidence: 'proposed',
    learnt: 'not learnt',
    otherwise: 'The order of a plan creates what is linked first, and deletes it last.',
  },
  'write.immutable': {
    assumed: 'Names, file systems and performance classes of volume sets cannot be changed in place.',
    section: '2.6',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'They are still replaced, where the plan may replace.',
  },
  'write.commands': {
    assumed: 'POST to `-command` of a resource answers 201, with the path of the command in Location.',
    section: '4.3',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Only commands on single resources send it: they end with an error that says the status.',
  },
  'write.keys-of-accounts': {
    assumed: 'POST to `-addKey` of a service account answers with the key, once.',
    section: '4.5',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Only gantry serviceaccount add-key sends it: it ends with an error.',
  },
  'value.quantities': {
    assumed: 'A quantity means the same however it is spelt: 1000m and 1, 1024Mi and 1Gi.',
    section: '2.4.1',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'Two spellings that mean different things to the platform would count as equal.',
  },
  'value.type-default': {
    assumed: 'A workload without a type is a serverless one.',
    section: '2.4',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'The type that the platform stored is taken for its default (value.defaults).',
  },
  'value.names': {
    assumed: 'The rules of names, sizes and combinations that Gantry checks offline are those of the platform.',
    section: '8',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'A stricter platform refuses the request, and the run stops there; a looser one is not used to the full.',
  },
  'delete.dependents': {
    assumed: 'DELETE of what is in use is refused with 400 or 409, and deletes nothing.',
    section: '7',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise: 'The order of a plan deletes what refers to it first; what others use is refused before any write.',
  },
  'delete.volumes': {
    assumed: 'Volumes go with their volume set, and stay when their workload is deleted.',
    section: '2.6',
    evidence: 'documented',
    learnt: 'not learnt',
    otherwise:
      'A plan says what a deletion of a volume set loses; the deletion of a workload is not held to lose volumes.',
  },
} as const satisfies Readonly<Record<string, Assumption>>;
