import type { CommandRow } from '../call/command.ts';
import { countOption, envOption, locationsOption, nameOption, oneLocation, required, waitOptions } from './options.ts';

const workloads = () => import('../run/workloads.ts');
const cron = () => import('../run/cron.ts');

/** What only workloads have (platform/clients.kinds). */
export const workloadRows: readonly CommandRow[] = [
  ...(['start', 'stop'] as const).map(
    (verb): CommandRow => ({
      verb,
      about: verb === 'start' ? 'run it again after stop' : 'suspend it, in all locations',
      args: ['<ref>'],
      calls: 'GET item, PATCH item with suspend',
      load: async () => (verb === 'start' ? (await workloads()).runStart : (await workloads()).runStop),
    }),
  ),
  {
    verb: 'force-redeployment',
    about: 'replace its replicas',
    args: ['<ref>'],
    calls: 'PATCH item with a tag',
    load: async () => (await workloads()).runRedeploy,
  },
  {
    verb: 'get-deployments',
    about: 'show how it is in each location',
    args: ['<ref>'],
    options: [{ ...locationsOption, about: 'only in this location' }],
    result: 'items',
    calls: 'GET item/deployment',
    load: async () => (await workloads()).runGetDeployments,
  },
  {
    verb: 'replica get',
    about: 'list its replicas',
    args: ['<ref>'],
    options: [{ ...locationsOption, about: 'only in this location' }],
    result: 'items',
    calls: 'GET item/deployment, GET {remote}/replicas item',
    load: async () => (await workloads()).runGetReplicas,
  },
  {
    verb: 'replica stop',
    about: 'stop a replica, which is replaced',
    args: ['<ref>'],
    options: [
      required(oneLocation),
      { flags: '--replica <name>', about: 'the replica', required: true },
      ...waitOptions,
    ],
    result: 'items',
    calls: 'POST item/-command stopReplica',
    load: async () => (await workloads()).runStopReplica,
  },
  {
    verb: 'cron get',
    about: 'show runs of cron workloads',
    args: ['[ref...]'],
    options: [{ ...locationsOption, about: 'only in this location' }],
    result: 'items',
    calls: 'GET item/deployment, GET item/-command',
    load: async () => (await cron()).runGetCron,
  },
  {
    verb: 'cron start',
    about: 'run a cron workload now',
    args: ['<ref>'],
    options: [
      { ...locationsOption, about: 'a location to run in (default: all of the GVC)' },
      { flags: '--container <name>', about: 'the container that is different in this run' },
      { flags: '--image <name>', about: 'its image in this run' },
      { flags: '--command <text>', about: 'what it runs in this run' },
      { flags: '--arg <text>', about: 'an argument in this run', many: true },
      envOption,
      { flags: '--cpu <amount>', about: 'its processor time in this run' },
      { flags: '--memory <amount>', about: 'its memory in this run' },
      countOption('--active-deadline-seconds <n>', 'how long it may run'),
      ...waitOptions,
    ],
    result: 'items',
    calls: 'POST item/-command runCronWorkload, one for each location',
    load: async () => (await cron()).runStartCron,
  },
  {
    verb: 'cron stop',
    about: 'stop a run of a cron workload',
    args: ['<ref>'],
    options: [
      required(oneLocation),
      { flags: '--replica <name>', about: 'the replica of the run', required: true },
      ...waitOptions,
    ],
    result: 'items',
    calls: 'POST item/-command stopReplica',
    load: async () => (await workloads()).runStopReplica,
  },
  {
    verb: 'cron run',
    about: 'run an image once, in a cron workload made for it',
    options: [
      { flags: '--image <name>', about: 'the image', required: true },
      { ...nameOption, about: 'the name of the workload (default: one of its own)' },
      { ...locationsOption, about: 'a location to run in (default: the first of the GVC)' },
      { flags: '--command <text>', about: 'what it runs' },
      { flags: '--arg <text>', about: 'an argument', many: true },
      envOption,
      { flags: '--cpu <amount>', about: 'its processor time', usual: '50m' },
      { flags: '--memory <amount>', about: 'its memory', usual: '128Mi' },
      ...waitOptions,
    ],
    result: 'items',
    calls: 'POST collection, POST item/-command runCronWorkload',
    load: async () => (await cron()).runCronImage,
  },
];
