import { rolldown } from 'rolldown';
import { gzipSync } from 'node:zlib';
const b = await rolldown({ input: 'src/page/main.tsx', platform: 'browser', tsconfig: 'src/page/tsconfig.json', transform:{target:'es2022', jsx:{runtime:'automatic',importSource:'preact'}}, resolve:{mainFields:['module','main']}, moduleTypes:{'.css':'empty'},
 plugins: [{name:'x', load(id){ if(id.endsWith('.css')) return ''; }}]});
const { output } = await b.generate({ format:'esm', minify:true, codeSplitting:false });
const c = output[0];
console.log(output.length, c.code.length, gzipSync(c.code,{level:9}).length);
const rows = Object.entries(c.modules).map(([id,m])=>[m.renderedLength, id.replace(process.cwd()+'/','')]).sort((a,b)=>b[0]-a[0]);
const groups={};
for (const [n,id] of rows){ const g = id.includes('node_modules')? 'nm/'+id.split('node_modules/').pop().split('/').slice(0, id.split('node_modules/').pop().startsWith('@')?2:1).join('/') : id.split('/').slice(0,3).join('/'); groups[g]=(groups[g]??0)+n; }
console.log(Object.entries(groups).sort((a,b)=>b[1]-a[1]).map(([g,n])=>`${n} ${g}`).join('\n'));
console.log(rows.filter(([,id])=>!id.includes('node_modules')).slice(0,70).map(([n,id])=>`${n} ${id}`).join('\n'));
