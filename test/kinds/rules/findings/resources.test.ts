import type { JsonObject } from '../../../../src/base/json/json.ts';
import { c, gpu, multi, of, options, scaled } from '../cases/workloadRecords.ts';
import { findings } from './findings.ts';

const container = (fields: JsonObject, type = 'stateful') => of(type, fields);
const custom = { gpu: { custom: { resource: 'x', quantity: 1 } } };

// biome-ignore format: a row is a case
findings('workload', {
  W20: [
    ['reports the reason (platform/workload.capacity-ai)', scaled('standard', { metric: 'cpu' }, { capacityAI: true }),
      { 'spec.defaultOptions.capacityAI': 'Capacity AI cannot be combined with the metric cpu' }],
    ['reports the reason with several metrics', scaled('standard', { multi }, { capacityAI: true }),
      { 'spec.defaultOptions.capacityAI': 'several metrics' }],
    ['reports the reason with a GPU', scaled('standard', {}, { capacityAI: true }, custom),
      { 'spec.defaultOptions.capacityAI': 'GPUs' }],
    ['checks every container',
      of('standard', {},
        { containers: [{ name: 'main' }, { name: 'side', ...custom }], defaultOptions: { capacityAI: true } }),
      { 'spec.defaultOptions.capacityAI': 'GPUs' }],
    ['accepts it without any of these', options('standard', { capacityAI: true }), {}],
    ['accepts the metric cpu without it', scaled('standard', { metric: 'cpu' }), {}],
  ],
  W21: [
    ['counts an omitted cpu with its default of 50m', container({ minCpu: '12m' }),
      { [`${c}.minCpu`]: 'minCpu "12m" of the container "main" is too far below cpu "50m"' }],
    ['counts an omitted memory with its default of 128Mi', container({ minMemory: '31Mi' }),
      { [`${c}.minMemory`]: 'minMemory "31Mi" of the container "main" is too far below memory "128Mi"' }],
    ['accepts memory 4096Mi apart (platform/workload.resources)', container({ memory: '6Gi', minMemory: '2Gi' }), {}],
    ['refuses memory 4097Mi apart', container({ memory: '6145Mi', minMemory: '2Gi' }),
      { [`${c}.minMemory`]: 'is too far below memory "6145Mi"' }],
    ['only applies to stateful workloads',
      container({ cpu: '4', minCpu: '25m', memory: '8Gi', minMemory: '32Mi' }, 'standard'), {}],
    ['leaves an invalid quantity to W24', container({ cpu: 'x', minCpu: '1', memory: '8Gi', minMemory: 'y' }), {}],
    ['accepts a container without minimums', container({ cpu: '8', memory: '16Gi' }), {}],
  ],
  W22: [
    ['accepts equal amounts', container({ cpu: '1', minCpu: '1000m', memory: '1Gi', minMemory: '1024Mi' }), {}],
    ['names the amounts', container({ minCpu: '51m', minMemory: '129Mi' }),
      { [`${c}.minCpu`]: 'minCpu "51m" of the container "main" must not be more than its cpu',
        [`${c}.minMemory`]: 'minMemory "129Mi" of the container "main" must not be more than its memory' }],
  ],
  W23: [
    ['counts an omitted cpu with its default of 50m', container({ memory: '401Mi' }),
      { [`${c}.memory`]: 'at most 8 MiB of memory per millicore (cpu "50m", memory "401Mi")' }],
    ['accepts 8 MiB for each of 50 millicores', container({ memory: '400Mi' }), {}],
    ['accepts the defaults', container({}), {}],
    ['leaves a cpu that is too small to W24', container({ cpu: '24m', memory: '1Gi' }), {}],
    ['checks the smallest cpu', container({ cpu: '25m', memory: '201Mi' }), { [`${c}.memory`]: 'cpu "25m"' }],
    ['leaves an invalid quantity to W24', container({ cpu: 'x', memory: '1Gi' }), {}],
    ['accepts 32 MiB with the tag, as a truth too',
      of('standard', { cpu: '100m', memory: '3200Mi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': true } }), {}],
    ['refuses more than 32 MiB with the tag',
      of('standard', { cpu: '100m', memory: '3201Mi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': 'true' } }),
      { [`${c}.memory`]: 'at most 32 MiB' }],
    ['refuses more than 8 MiB if the tag is false',
      of('standard', { cpu: '100m', memory: '801Mi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': 'false' } }),
      { [`${c}.memory`]: 'at most 8 MiB' }],
  ],
  W24: [
    ['accepts the minimum of each',
      container({ cpu: '25m', minCpu: 0.025, memory: '32Mi', minMemory: 33_554_432 }), {}],
    [
      'refuses less of each, with the fix',
      container({ cpu: '24m', minCpu: 0.024, memory: '31Mi', minMemory: 33_554_431 }),
      { [`${c}.cpu`]: 'cpu "24m" of the container "main" must be at least 25m Give at least 25m',
        [`${c}.minCpu`]: 'minCpu 0.024 of the container "main" must be at least 25m Give at least 25m',
        [`${c}.memory`]: 'memory "31Mi" of the container "main" must be at least 32Mi Give at least 32Mi',
        [`${c}.minMemory`]: 'must be at least 32Mi Give at least 32Mi' },
    ],
    ['refuses an invalid quantity', container({ minMemory: '1 Gi' }),
      { [`${c}.minMemory`]: 'minMemory "1 Gi" of the container "main" is not a valid quantity Give at least 32Mi' }],
    ['leaves a value of another type to the schema', container({ cpu: true, memory: [] }), {}],
  ],
  W25: [
    ...(
      [
        ['t4', '8000m', '31Gi', 1],
        ['t4', '16', '62Gi', 2],
        ['a10g', '6000m', '62Gi', 1],
        ['a10g', '64', '8Gi', 1],
        ['t4', '1', '1Gi', 0],
        ['h100', '1', '1Gi', 1],
      ] as const
    ).map(
      ([model, cpu, memory, quantity]) =>
        [`accepts ${quantity} ${model} with ${cpu} and ${memory}`, gpu(model, cpu, memory, quantity), {}] as const,
    ),
    ...(
      [
        ['t4', '8001m', '31Gi', 1, 'cpu'],
        ['t4', '3999m', '14Gi', 2, 'cpu'],
        ['t4', '2', '32Gi', 1, 'memory'],
        ['a10g', '5999m', '8Gi', 1, 'cpu'],
        ['a10g', '6', '7Gi', 1, 'memory'],
        ['a10g', '6', '63Gi', 1, 'memory'],
      ] as const
    ).map(
      ([model, cpu, memory, quantity, key]) =>
        [
          `refuses ${quantity} ${model} with ${cpu} and ${memory} (platform/workload.resources)`,
          gpu(model, cpu, memory, quantity),
          { [`${c}.${key}`]: `the container "main" with ${quantity} GPU ${model} needs cpu` },
        ] as const,
    ),
    ['counts one without a quantity',
      of('standard', { cpu: '2', memory: '7Gi', gpu: { nvidia: { model: 't4' } } }), {}],
    ['accepts only one a10g, with any other amounts', gpu('a10g', '1', '1Gi', 2),
      { [`${c}.gpu.nvidia.quantity`]: 'the container "main" requests 2 GPUs of the model a10g' }],
    ['leaves an invalid quantity to W24', gpu('t4', 'x', '7Gi'), {}],
    ['accepts a container without a GPU', of('standard', { cpu: '1' }), {}],
  ],
  W26: [['takes nvidia alone', gpu('t4', '2', '7Gi'), {}]],
});
