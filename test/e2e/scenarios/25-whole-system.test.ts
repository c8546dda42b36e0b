import { runScenario } from '../harness/scenario.ts';
import { scenario } from './25-whole-system.ts';

runScenario(scenario);
