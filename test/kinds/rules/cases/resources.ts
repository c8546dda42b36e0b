import { casesOf, type RuleCase } from '../ruleCase.ts';
import { c, gpu, multi, of, scaled } from './workloadRecords.ts';

// biome-ignore format: a row is a case
export const resourceCases: readonly RuleCase[] = [
  ...casesOf('W20', 'workload', [
    { it: 'Capacity AI with the metric cpu', passes: scaled('standard', { metric: 'rps' }, { capacityAI: true }),
      fails: scaled('standard', { metric: 'cpu' }, { capacityAI: true }), path: 'spec.defaultOptions.capacityAI' },
    { it: 'Capacity AI with several metrics', passes: scaled('standard', { multi }, { capacityAI: false }),
      fails: scaled('standard', { multi }, { capacityAI: true }), path: 'spec.defaultOptions.capacityAI' },
    { it: 'Capacity AI with a GPU',
      passes: scaled('standard', {}, {}, { gpu: { custom: { resource: 'x', quantity: 1 } } }),
      fails: scaled('standard', {}, { capacityAI: true }, { gpu: { custom: { resource: 'x', quantity: 1 } } }),
      path: 'spec.defaultOptions.capacityAI' },
  ]),
  ...casesOf('W21', 'workload', [
    { it: 'just above 1:4 (platform/workload.resources)', passes: of('stateful', { cpu: '2000m', minCpu: '0.5' }),
      fails: of('stateful', { cpu: '2001m', minCpu: '500m' }), path: `${c}.minCpu` },
    { it: 'just more than 4000m apart (platform/workload.resources)',
      passes: of('stateful', { cpu: '5400m', minCpu: '1400m' }),
      fails: of('stateful', { cpu: '5401m', minCpu: '1400m' }), path: `${c}.minCpu` },
    { it: 'memory just above 1:4 (platform/workload.resources)',
      passes: of('stateful', { cpu: '1', memory: '4Gi', minMemory: '1024Mi' }),
      fails: of('stateful', { cpu: '1', memory: '4Gi', minMemory: '1023Mi' }), path: `${c}.minMemory` },
  ]),
  ...casesOf('W22', 'workload', [
    { it: 'minCpu above cpu', passes: of('standard', { cpu: '0.1', minCpu: '100m' }),
      fails: of('standard', { cpu: '100m', minCpu: '101m' }), path: `${c}.minCpu` },
    { it: 'minMemory above the default memory', passes: of('standard', { minMemory: '128Mi' }),
      fails: of('standard', { minMemory: '129Mi' }), path: `${c}.minMemory` },
  ]),
  ...casesOf('W23', 'workload', [
    { it: 'more than 8 MiB per millicore', passes: of('standard', { cpu: '128m', memory: '1Gi' }),
      fails: of('standard', { cpu: '127m', memory: '1Gi' }), path: `${c}.memory` },
    { it: 'more than 8 MiB per millicore without the tag',
      passes: of('standard', { cpu: '100m', memory: '1Gi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': 'true' } }),
      fails: of('standard', { cpu: '100m', memory: '1Gi' }), path: `${c}.memory` },
  ]),
  ...casesOf('W24', 'workload', [
    { it: '24m', passes: of('standard', { cpu: '25m' }), fails: of('standard', { cpu: '24m' }), path: `${c}.cpu` },
    { it: '31Mi', passes: of('standard', { memory: '32Mi' }), fails: of('standard', { memory: '31Mi' }),
      path: `${c}.memory` },
    { it: 'no quantity (A.10)', passes: of('standard', { cpu: '1e-1' }), fails: of('standard', { cpu: '1.2.3' }),
      path: `${c}.cpu` },
  ]),
  ...casesOf('W25', 'workload', [
    { it: 't4 with too little cpu', passes: gpu('t4', '2', '7Gi'), fails: gpu('t4', '1999m', '7Gi'), path: `${c}.cpu` },
    { it: 't4 with too little memory for two', passes: gpu('t4', '4', '14Gi', 2), fails: gpu('t4', '4', '13Gi', 2),
      path: `${c}.memory` },
    { it: 'two a10g', passes: gpu('a10g', '6', '8Gi'), fails: gpu('a10g', '12', '16Gi', 2),
      path: `${c}.gpu.nvidia.quantity` },
  ]),
  ...casesOf('W26', 'workload', [
    { it: 'two forms of GPU', passes: of('standard', { gpu: { custom: {} } }),
      fails: of('standard', { gpu: { custom: {}, nvidia: {} } }), path: `${c}.gpu` },
  ]),
];
