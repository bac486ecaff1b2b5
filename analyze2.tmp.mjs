import { rolldown } from 'rolldown';
import { gzipSync } from 'node:zlib';
async function size(stub) {
const b = await rolldown({ input: 'src/page/main.tsx', platform: 'browser', tsconfig: 'src/page/tsconfig.json', transform:{target:'es2022', jsx:{runtime:'automatic'}}, resolve:{mainFields:['module','main']}, optimization: { inlineConst: { mode: 'all', pass: 3 } }, moduleTypes:{'.css':'empty'}, onLog(){}, shimMissingExports: true,
 plugins: [{name:'x', load(id){ if(id.endsWith('.css')) return ''; if (stub && stub.test(id)) return {code:'', moduleSideEffects:false}; }}]});
const { output } = await b.generate({ format:'esm', minify:true, codeSplitting:false, comments:false });
return gzipSync(output[0].code,{level:9}).length; }
const base = await size();
console.log('base', base);
for (const s of ['client/query/check-query','http/connection-error','core/http/http-error','core/http/multipart','core/http/proxy-error','core/option-checks','client/tail/job-tail','client/tail/polled-events','client/query/(event-slices|job-rows|older-events|streamed-result)','client/tail/tail-history','client/query/query-options','fastest-lev','core/errors','language/diagnostics/mistakes','uplot','virtual-core','codemirror/commands','codemirror/autocomplete','codemirror/lint','language/format/','language/printer','language/functions/docs','records/json-view','core/http/(graphql|redactor)','src/client/tail/','src/client/','codemirror/search','language/editor']) console.log(s, base - await size(new RegExp(s)));
