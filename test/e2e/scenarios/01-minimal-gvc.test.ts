import { runScenario } from '../harness/scenario.ts';
import { scenario } from './01-minimal-gvc.ts';

runScenario(scenario);
