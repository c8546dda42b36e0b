import { runScenario } from '../harness/scenario.ts';
import { scenario } from './11-shared-storage.ts';

runScenario(scenario);
