"""Small kernels, one a line: an expression over the arguments below, or statements with `;;` between them.

`x` is the value of the ref `x_ref`; an expression's value is stored to an output of its type. What JAX traces for
each is recorded in recorded.json by record.py.
"""

from __future__ import annotations

import re

ARGS: dict[str, tuple[tuple[int, ...], str, str]] = {
    "x": ((8, 128), "float32", "default"),
    "y": ((8, 128), "float32", "default"),
    "b": ((8, 128), "bfloat16", "default"),
    "h": ((8, 128), "float16", "default"),
    "i": ((8, 128), "int32", "default"),
    "u": ((8, 128), "uint32", "default"),
    "c": ((8, 128), "int8", "default"),
    "q": ((8, 128), "bool", "default"),
    "r": ((1, 128), "float32", "default"),
    "k": ((8, 1), "float32", "default"),
    "v": ((128,), "float32", "default"),
    "w": ((128, 128), "float32", "default"),
    "t": ((2, 8, 128), "float32", "default"),
    "s": ((), "float32", "smem"),
    "n": ((), "int32", "smem"),
    "m": ((8,), "int32", "smem"),
    "f": ((8, 128), "float8_e4m3fn", "default"),
}
GRID = (3, 2)

_ELEMENTWISE = """
x+1; x*2.5; 1-x; x/2; i+1; i/2; i//2; x//2; i%3; x%3; x**2; x**3; x**0.5; 2**x; i**2; -x; abs(x); ~i; i&1; i<<2
i>>1; u>>1; x+v; x+r; x+t; s*x; n+i; x+b; i+x; q+1; q*x; b*2.0; b+1; x>0; x>y; x==1; i!=n; 3<n; 2.0<=x; +x; x*True
i**n; x**n; x**y; n**2; b**2.0; x**-1; x**1; x**0; 2.0**n; u%3; u//3; c//2; b//2; b%2; s//2; n//2; n%2; n%n; i//n
n//i; x//s; c+1; c+200; u*-1; c+u; i+u; h*x; h+1; b+h; q&q; q|q; q^q; ~q; q&True; q==q; q<1; (q+1)*x; n+1.5; n/2
n*b; (n+1).astype(jnp.float32); i^3; 1<<i; -b; abs(n); -n; (n>0)&(n<5); c*c; x*k; k+r; x-k; t*k; i*2; 7//n; 7%n
jnp.maximum(x,0); jnp.maximum(x,v); jnp.maximum(b,0.0); jnp.minimum(x,y); jnp.minimum(n,3); jnp.add(x,1)
jnp.subtract(x,1); jnp.multiply(x,2); jnp.divide(x,3); jnp.true_divide(i,i); jnp.mod(x,y); jnp.remainder(i,i)
jnp.fmod(x,y); jnp.floor_divide(i,3); jnp.power(x,2); jnp.power(x,y); jnp.float_power(x,2); jnp.equal(x,y)
jnp.not_equal(x,1); jnp.less(x,0); jnp.greater_equal(x,y); jnp.logical_not(x); jnp.logical_and(q,x); jnp.logical_or(q,q)
jnp.logical_xor(q,q); jnp.bitwise_and(i,i); jnp.left_shift(i,1); jnp.right_shift(i,1); jnp.invert(i); jnp.negative(x)
jnp.exp(x); jnp.exp(i); jnp.exp(b); jnp.exp2(x); jnp.log(x); jnp.log(q); jnp.log2(x); jnp.log10(x); jnp.log1p(x)
jnp.expm1(x); jnp.sqrt(x); jnp.tanh(x); jnp.sin(x); jnp.cos(x); jnp.tan(x); jnp.abs(x); jnp.sign(x); jnp.floor(x)
jnp.ceil(x); jnp.floor(i); jnp.round(x); jnp.trunc(x); jnp.reciprocal(x); jnp.square(x); jnp.square(i); jnp.isnan(x)
jnp.isinf(x); jnp.isfinite(x); jnp.fabs(x); jnp.cbrt(x); jnp.arctan2(x,y); jnp.fmax(x,y); jnp.fmin(x,y); jnp.exp(c)
jnp.logaddexp(x,y); jnp.nan_to_num(x); jnp.clip(x,0,1); jnp.clip(x,min=0); jnp.clip(i,0,n); x.clip(-1,1); jnp.clip(x,0.0,s)
jnp.where(q,x,0.); jnp.where(q,x,y); jnp.where(x>0,b,-jnp.inf); jnp.where(q,i,0); jnp.where(q,1.0,0.0); jnp.where(q,1,x)
jnp.where(x>0,b,x); jnp.where(n>0,x,y); jnp.where(q,x,r); jnp.where(q,v,x); jnp.where(n>0,1,0); jnp.where(i,x,y)
jnp.where(q,k,r); jnp.where(n>0,x,0.0); jnp.divmod(n,3); jnp.divmod(x,2.0); jnp.exp(1.0)*x; jnp.sqrt(2)*x
lax.add(x,y); lax.add(i,1); lax.mul(x,2.0); lax.max(x,0.0); lax.select(q,x,y); lax.clamp(0.0,x,1.0); lax.erf(x)
lax.logistic(x); lax.integer_pow(x,3); lax.pow(x,2); lax.pow(x,y); lax.rem(i,i); lax.div(i,i); lax.sub(x,y); lax.neg(x)
lax.rsqrt(x); lax.exp(x); lax.log(x); lax.tanh(x); lax.sqrt(x); lax.square(x); lax.stop_gradient(x); lax.reciprocal(x)
lax.shift_right_logical(i,1); lax.shift_left(i,i); lax.shift_right_arithmetic(i,2); lax.eq(x,y); lax.bitwise_and(i,i)
lax.population_count(i); lax.clz(i); lax.is_finite(x); lax.round(x); lax.exp2(x); lax.sign(x); lax.floor(x); lax.abs(x)
lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN); lax.select_n(q,x,y); lax.max(i,i); lax.gt(x,y); lax.min(x,y)
x.astype(jnp.bfloat16); x.astype(jnp.float32); i.astype(jnp.float32); x.astype(jnp.int32); q.astype(jnp.int32)
x.astype(jnp.bool_); x.astype('bfloat16'); x.astype(b.dtype); jnp.astype(x,jnp.bfloat16); i.astype(jnp.uint8)
x.astype(int); x.astype(float); lax.convert_element_type(x,jnp.bfloat16); lax.bitcast_convert_type(x,jnp.int32); x.view(jnp.uint32)
f.astype(jnp.float32); x.astype(jnp.float8_e4m3fn); lax.bitcast_convert_type(b,jnp.uint16); c.astype(jnp.bfloat16)
jnp.float32(1.5)*x; jnp.int32(3)+i; jnp.array(1.0)*x; jnp.asarray(2)*i; jnp.float32(s); jnp.bfloat16(1.0)*b; jnp.float32(n)
jnp.array(1.0)*b; jnp.asarray(1.0)*b; jnp.array(2,jnp.int32)*b; jnp.int32(1)*2.0*x; jnp.uint8(3)+c; jnp.float32(1.0)+1+x
x*jnp.finfo(jnp.float32).min; jnp.finfo(b.dtype).max*x; i+jnp.iinfo(jnp.int32).max; x*jnp.pi; x+jnp.float32(0.1); b*0.1
jnp.float32(1e-40)*x; x*1e300; b+1e-3; h*0.3; jnp.float16(0.1)+h; jnp.array([1.0,2.0,3.0]); jnp.array([n,n+1])
"""

_REDUCE = """
jnp.sum(x); jnp.sum(x,axis=0); jnp.sum(b,axis=1); jnp.sum(i,axis=-1,keepdims=True); jnp.sum(q); jnp.mean(x); jnp.mean(b,axis=1)
jnp.mean(i); jnp.mean(x,axis=-1,keepdims=True); jnp.mean(t,axis=(1,2)); jnp.var(x,axis=1); jnp.std(x,axis=1,keepdims=True)
jnp.var(b,axis=1); jnp.prod(x,axis=0); jnp.any(q); jnp.all(q,axis=1); jnp.min(x); jnp.max(i,axis=(0,1)); jnp.argmax(x,axis=1)
jnp.argmin(x,-1); jnp.argmax(x); jnp.argmax(x,axis=1,keepdims=True); jnp.cumsum(x,axis=0); jnp.cumprod(x,axis=1); jnp.sum(c); jnp.sum(x,dtype=jnp.bfloat16)
jnp.sum(b,dtype=jnp.float32); jnp.max(b,axis=1,initial=0.); jnp.sum(x,where=q); jnp.max(x,where=q,initial=-1.0)
jnp.sum(h); jnp.sum(u); jnp.max(q); jnp.prod(c); jnp.sum(x,axis=()); jnp.any(x>0,axis=1,keepdims=True); jnp.min(x,axis=0,initial=3)
jnp.mean(x,where=q); jnp.mean(b); jnp.mean(b,dtype=jnp.float32); jnp.sum(x>0); jnp.sum(x,axis=1,initial=1.0); jnp.all(x)
x.sum(); x.max(axis=1,keepdims=True); x.mean(-1); x.min(); x.any(); q.all(); x.std(); x.var(axis=0); x.argmax(1); x.prod(); x.sum(1)
lax.reduce_max(x,axes=(1,)); lax.reduce_sum(x,(0,)); lax.cumsum(x,axis=0); lax.argmax(x,1,jnp.int32); lax.cummax(x,axis=1,reverse=True)
jax.nn.logsumexp(x,axis=1); jax.nn.logsumexp(x,axis=-1,keepdims=True); jnp.sum(b, axis=1, keepdims=True); jnp.max(b,axis=-1)
"""

_SHAPE = """
x.reshape(1024); x.reshape(4,-1); x.reshape((8,128)); x.T; x.transpose(1,0); jnp.transpose(t,(0,2,1)); jnp.swapaxes(t,0,1)
jnp.expand_dims(x,0); x[None]; x[:,None]; v[:,None]; v[None,:]; jnp.squeeze(r); jnp.squeeze(r,axis=0); r[0]; x[0]; x[-1]
x[:,1]; x[2:4]; x[:, :64]; x[::2]; x[::-1]; x[...,0]; x[0,0]; x[n]; x[n,:]; x[:,n]; t[n,0]; t[0,:,n]; x[None,2:4]; t[:,None,0]
x[2:4,None,5]; x[-3:-1]; x[6:2:-2]; t[...,None]; x[...]; x[:]; x[0:0]; t[1,2:4,::2]; x[n,None]; x[pl.ds(n,2)]; x[jnp.int32(1)]
jnp.broadcast_to(r,(8,128)); jnp.broadcast_to(v,(8,128)); jnp.broadcast_to(s,(8,128)); jnp.broadcast_to(x,(8,128))
jnp.broadcast_to(v,(2,8,128)); lax.broadcast(s,(8,)); lax.broadcast(v,(8,)); lax.broadcast_in_dim(v,(8,128),(1,))
jnp.concatenate([x,y],axis=1); jnp.concatenate([x,b],axis=-1); jnp.stack([x,y]); jnp.stack([x,y],axis=1); jnp.split(x,2,axis=1)
jnp.split(x,[32,64],axis=1); jnp.tile(x,(1,2)); jnp.tile(x,(2,1,1)); jnp.tile(v,3); jnp.repeat(x,2,axis=0); jnp.roll(x,1,axis=1); jnp.flip(x,0)
jnp.repeat(v,2); jnp.roll(v,-3); jnp.pad(x,((0,0),(0,128))); jnp.pad(x,1); jnp.pad(x,(1,2)); jnp.pad(x,((1,0),(0,0)),constant_values=2.0); jnp.ravel(x); x.flatten(); x.ravel()
jnp.moveaxis(t,0,-1); jnp.triu(w); jnp.tril(w); jnp.tril(x,-1); jnp.triu(t,1); x.swapaxes(0,1); t.mT; x.squeeze(); r.squeeze(0)
jnp.zeros((8,128)); jnp.ones((8,128),jnp.int32); jnp.full((8,128),2.0); jnp.full((8,128),s); jnp.zeros_like(x); jnp.ones_like(x_ref)
jnp.full_like(x,1); jnp.full((8,128),1); jnp.full((8,),-jnp.inf,jnp.bfloat16); jnp.empty((8,)); jnp.zeros((),jnp.float32)+x; jnp.full_like(b,0.1); jnp.zeros(8)
jnp.arange(8); jnp.arange(2,10,2); jnp.arange(8.0); jnp.arange(8,dtype=jnp.float32); jnp.arange(3,9); jnp.arange(8)[:,None]+jnp.arange(4)[None,:]
jnp.arange(0,8); jnp.arange(0,8,2); jnp.arange(1.5,4.0); jnp.arange(10,2,-2)
lax.iota(jnp.int32,8); lax.broadcasted_iota(jnp.int32,(8,128),1); jax.lax.broadcasted_iota(jnp.uint32,(8,128),0); lax.full((8,),1.0)
lax.full_like(x,2); lax.reshape(x,(1024,)); lax.squeeze(r,(0,)); lax.expand_dims(x,(0,)); lax.transpose(x,(1,0)); lax.slice(x,(0,0),(8,64))
lax.slice(x,(0,0),(8,64),(2,1)); lax.dynamic_slice(x,(n,0),(1,128)); lax.dynamic_slice_in_dim(x,n,4,axis=0); lax.slice_in_dim(x,0,4,axis=0)
lax.dynamic_slice(x,(2,3),(1,8)); lax.dynamic_slice_in_dim(x,2,4); lax.slice_in_dim(x,-4,None,axis=1); lax.dynamic_slice(t,(n,n,0),(1,8,128))
lax.dynamic_update_slice(x,r,(n,0)); lax.dynamic_update_slice_in_dim(x,r,n,0); lax.concatenate([x,y],0); lax.pad(x,0.0,((0,0,0),(0,1,0))); lax.rev(x,(0,)); lax.index_in_dim(x,0)
lax.index_in_dim(x,-1,axis=1,keepdims=False); lax.dynamic_index_in_dim(x,n,0); lax.dynamic_index_in_dim(x,n,0,keepdims=False); lax.tile(x,(1,2)); lax.split(x,(64,64),axis=1)
pltpu.roll(x,1,axis=1); pltpu.roll(x,shift=n,axis=0); pltpu.bitcast(x,jnp.int32); pltpu.bitcast(b,jnp.uint32); pltpu.bitcast(x,jnp.bfloat16); pltpu.roll(x,1,1,stride=1,stride_axis=0)
"""

_MATMUL = """
jnp.dot(x,w); x@w; jnp.matmul(x,w,preferred_element_type=jnp.float32); pl.dot(x,w) if hasattr(pl,'dot') else x; jnp.dot(b,w)
jnp.dot(x,w,precision=lax.Precision.HIGHEST); lax.dot(x,w); jnp.dot(b,b.T,preferred_element_type=jnp.float32); jnp.dot(b,b.T)
lax.dot_general(x,y,(((1,),(1,)),((),())),preferred_element_type=jnp.float32); jnp.einsum('ij,kj->ik',x,y)
jnp.einsum('bij,bkj->bik',t,t); jnp.matmul(t,w); jnp.dot(x,v); x@v; v@w; jnp.dot(t,w); jnp.vdot(v,v); jnp.outer(v,v); jnp.inner(x,y)
lax.dot_general(t,t,(((2,),(2,)),((0,),(0,)))); lax.batch_matmul(t,t.swapaxes(1,2)); jnp.dot(s,x); jnp.dot(c,c.T,preferred_element_type=jnp.int32)
jnp.matmul(t,t.swapaxes(1,2)); jnp.dot(x.astype(jnp.bfloat16),w.astype(jnp.bfloat16),preferred_element_type=jnp.float32); x.dot(w)
jnp.einsum('ij,jk->ik',x,w); jnp.einsum('ij,jk->ki',x,w); jnp.dot(i,i.T); b@b.T; jnp.einsum('qd,kd->qk',b,b,preferred_element_type=jnp.float32); jnp.dot(b,x.T)
lax.dot_general(b,w,(((1,),(0,)),((),())),precision=jax.lax.Precision.DEFAULT,preferred_element_type=jnp.float32)
"""

_NN = """
jax.nn.relu(x); jax.nn.sigmoid(x); jax.nn.silu(x); jax.nn.swish(x); jax.nn.gelu(x); jax.nn.gelu(b,approximate=True); jax.nn.softmax(x,axis=-1)
jax.nn.log_softmax(x); jax.nn.softplus(x); jax.nn.leaky_relu(x); jax.nn.elu(x); jax.nn.one_hot(i,4); jax.nn.relu6(x); jax.nn.hard_swish(x)
jax.nn.soft_sign(x); jax.nn.log_sigmoid(x); jax.nn.hard_tanh(x); jax.nn.mish(x); jax.nn.squareplus(x); jax.nn.softmax(x,axis=1); jax.nn.relu(b)
jax.nn.hard_sigmoid(x); jax.nn.softmax(b); jax.nn.silu(b); jax.nn.leaky_relu(x,0.2); jax.nn.elu(x,2.0); jax.nn.one_hot(i,4,dtype=jnp.bfloat16)
"""

_CONTROL = """
jax.lax.fori_loop(0,4,lambda i,a: a+x[0,0],jnp.float32(0))
jax.lax.fori_loop(0,n,lambda i,a: a+i,0)
jax.lax.fori_loop(0,n,lambda i,a: a+n,0)
jax.lax.fori_loop(1,4,lambda i,a: (a[0]+1.0,a[1]),(s,n))
jax.lax.fori_loop(n,n+2,lambda i,a: a,x)
jax.lax.fori_loop(0,n,lambda i,a: (a[0],a[1]+a[0]),(x,y))
jax.lax.fori_loop(0,3,lambda i,a: a+1.0,0)
jax.lax.fori_loop(0,n,lambda i,a: a*x,1.0)
jax.lax.fori_loop(0,n,lambda i,a: {'p': a['p']+a['q'], 'q': a['q']}, {'q': x, 'p': y})
jax.lax.while_loop(lambda c: c<n, lambda c: c+1, 0)
jax.lax.while_loop(lambda c: c[0]<n, lambda c: (c[0]+1,c[1]), (0,x))
jax.lax.while_loop(lambda c: jnp.sum(c)<n, lambda c: c+y, x)
lax.cond(n>0, lambda: x, lambda: y)
lax.cond(n>0, lambda a: a+y, lambda a: a, x)
lax.cond(n>0, lambda a: a, lambda a: a, x)
lax.cond(n, lambda: 1.0, lambda: 2.0)
lax.cond(n>0, lambda: (x,y+1), lambda: (y,x))
lax.cond(n>0, lambda a,b_: a+b_, lambda a,b_: a-b_, x, y)
lax.cond(True, lambda: x, lambda: y)
lax.switch(n,[lambda: x, lambda: y, lambda: x+y])
lax.switch(n,[lambda a: a, lambda a: a*2.0],x)
lax.scan(lambda c,_: (c+x,None), y, None, length=3)
lax.scan(lambda c,_: (c+x,None), y, length=3, unroll=3)[0]
jax.lax.fori_loop(0,4,lambda i,a: a+1, 0, unroll=True)
jax.lax.fori_loop(0,4,lambda i,a: a+1, 0, unroll=2)
jax.lax.fori_loop(0,0,lambda i,a: a, 0)+n
lax.fori_loop(jnp.int32(0), 4, lambda i,a: a+i, 0)
jax.jit(lambda a: a+x)(y)
jax.lax.fori_loop(0,3,lambda i,a: lax.cond(i>1, lambda: a+x, lambda: a*y), x)
pl.cdiv(n,8); pl.multiple_of(n*8,8); pl.reciprocal(x,approx=True); pl.program_id(0)*2; pl.num_programs(1)*n; pl.align_to(n,8)
pl.when(n>0)(lambda: x_ref.set(x+1))
pl.when(pl.program_id(1) == pl.num_programs(1)-1)(lambda: x_ref.set(x+1))
z = jnp.float32(2.0);; pl.when(n>0)(lambda: x_ref.set(x*z+z))
z = x+1;; pl.when(n>0)(lambda: pl.when(n<3)(lambda: x_ref.set(z*y)))
pl.run_scoped(lambda r: r.set(x+y), pltpu.VMEM((8,128),jnp.float32))
pl.run_scoped(lambda r: (r.set(x), x_ref.set(r[...]+1))[0], pltpu.VMEM((8,128),jnp.float32))
pl.run_scoped(lambda r, sem: pltpu.async_copy(x_ref,r,sem).wait(), pltpu.VMEM((8,128),jnp.float32), pltpu.SemaphoreType.DMA)
pl.run_scoped(lambda r, sem: (pltpu.async_copy(x_ref,r,sem.at[1]).wait(), y_ref.set(r[...]))[1], pltpu.VMEM((8,128),jnp.float32), sem=pltpu.SemaphoreType.DMA((2,)))
pltpu.sync_copy(x_ref,y_ref)
pl.loop(0,4)(lambda i: x_ref.set(x+1))
pl.loop(0,n)(lambda i: x_ref.set(x+i))
pl.loop(0,8,step=2)(lambda i: x_ref.at[i].set(x[0]))
pl.loop(n,8,step=2)(lambda i: x_ref.at[i].set(x[0]))
pl.debug_print("x {}",n)
pl.run_scoped(lambda s_: (pl.semaphore_signal(s_,2), pl.semaphore_wait(s_,n), n_ref.set(pl.semaphore_read(s_)))[2], pltpu.SemaphoreType.REGULAR)
"""

_REFS = """
x_ref[n]; x_ref[n,:]; x_ref[pl.ds(n,4)]; x_ref[0]; x_ref[0:4]; x_ref[:, 0:64]; x_ref.at[0:4][...]; x_ref.at[pl.ds(n*2,4)][0]
x_ref.reshape(4,256)[...]; x_ref.bitcast(jnp.int32)[...]; x_ref[pl.ds(0,4,stride=2)]; x_ref[jnp.int32(3)]; x_ref[n, pl.ds(0,64)]
t_ref[n]; t_ref[0,n]; t_ref.at[n][pl.ds(n,4)]; t_ref.at[1].at[0:4][:,n]; b_ref.bitcast(jnp.uint32)[...]; t_ref.reshape(16,128)[pl.ds(n,8)]
t_ref[:,0,:]; t_ref[...,0]; x_ref[1:8:2]; m_ref[n]; m_ref[3]; n_ref[()]; n_ref[...]; t_ref.at[n].reshape(1024)[...]; x_ref.get()
m_ref[pl.program_id(0)+m_ref[0]]; x_ref.swap(x+1); t_ref[n,pl.ds(n,2),pl.ds(0,64)]; x_ref.at[n].get()
x_ref.at[0].set(x[0]); x_ref[0]=x[1]; x_ref[...]=x+1; x_ref[n]=v; i_ref[...]=c.astype(jnp.int8); x_ref[...]+=y; x_ref[n,:]+=v; t_ref.at[n][...]=x
n_ref[...]=n+1; m_ref[n]=n; m_ref[2]=3; s_ref[...]=1.0; b_ref[...]=jnp.full_like(b,0.5); x_ref[pl.ds(n,4)]=jnp.zeros((4,128)); m_ref[n]+=1
pltpu.store(x_ref, x, mask=q); pltpu.load(x_ref,mask=q); pltpu.store(x_ref.at[pl.ds(n,8)], x, mask=q); jax.ref.addupdate(x_ref,(),x)
x_ref.at[pl.ds(n,2)].set(t_ref[:,n]); t_ref[0]=x;; t_ref[1]=t_ref[0]+1
x; x_ref[...]*1; x+0*y
"""

SECTIONS = {
    "elementwise": _ELEMENTWISE,
    "reduce": _REDUCE,
    "shape": _SHAPE,
    "matmul": _MATMUL,
    "nn": _NN,
    "control": _CONTROL,
    "refs": _REFS,
}


def cases() -> list[str]:
    """Every case once, in order."""
    found = [one.strip() for text in SECTIONS.values() for line in text.strip().splitlines() for one in _split(line)]
    return list(dict.fromkeys(one for one in found if one))


def _split(line: str) -> list[str]:
    return re.split(r";(?!;)(?<!;;)", line)


def arguments(case: str) -> list[str]:
    """The arguments that a case mentions, in the order of ARGS."""
    return [name for name in ARGS if re.search(rf"(?<![\w.'\"]){name}(_ref)?\b(?!=[^=])", case)]


def is_expression(case: str) -> bool:
    try:
        compile(case, "<case>", "eval")
    except SyntaxError:
        return False
    return True


def source(case: str, outputs: int) -> str:
    """The kernel of a case, which has `outputs` output refs for what its expression gives."""
    names = arguments(case)
    refs = [f"{name}_ref" for name in names] + [f"out{k}" for k in range(outputs)]
    lines = [f"def kernel({', '.join(refs)}):"]
    lines += [f"    {name} = {name}_ref[...]" for name in names]
    if is_expression(case):
        lines.append(f"    result = {case}")
        if outputs == 1:
            lines.append("    out0[...] = result")
        lines += [f"    out{k}[...] = result[{k}]" for k in range(outputs) if outputs > 1]
    else:
        lines += [f"    {part.strip()}" for part in case.split(";;")]
    return "\n".join(lines) + "\n"
