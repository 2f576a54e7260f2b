/*
 * godot_host.c: plays the engine's part for bindings/godot: strings, packed arrays and variants of
 * its own, a class registered, an object made, methods called both ways.
 *
 *     godot_host EXTENSION ADDRESS PARAMETERS [GRID]     writes the bytes, or the problem to stderr
 *
 * At its end nothing of what the extension was given may be left.
 */
#include "gdextension.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array {
    size_t count, width;
    void *at;
};
/* A value of any type but Variant: a pointer, as in Godot; arrays have a second word. */
struct value {
    void *held;
};
struct variant {
    GDExtensionVariantType type;
    struct value value;
    void *second;
};

static int alive; /* values that were made and not destroyed */
static GDExtensionClassCreationInfo2 class_info;
static GDExtensionClassMethodInfo class_methods[8];
static const char *method_names[8];
static int methods;
static void *instance;
static bool registered;

static void demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "host: %s\n", what);
        exit(3);
    }
}

static void *need(size_t size)
{
    void *memory = calloc(1, size);
    demand(memory, "out of memory");
    return memory;
}

/* ---- strings --------------------------------------------------------------------------------- */

static void new_string(void *to, const char *text)
{
    *(char **)to = strdup(text);
    alive++;
}
static void new_name(void *to, const char *text, GDExtensionBool is_static)
{
    demand(!is_static, "a name that is not static");
    new_string(to, text);
}
static GDExtensionInt read_string(const void *string, char *to, GDExtensionInt room)
{
    const char *text = *(char *const *)string;
    GDExtensionInt length = (GDExtensionInt)strlen(text);
    if (to)
        memcpy(to, text, (size_t)(length < room ? length : room)); /* and no zero, as Godot does */
    return length;
}
static const char *text_of(const void *string) { return *(char *const *)string; }

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool is_array(GDExtensionVariantType type)
{
    return type == GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY ||
           type == GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY;
}
static struct array *array_of(const void *value) { return *(struct array *const *)value; }
static void new_array(void *to, const GDExtensionConstTypePtr *args)
{
    demand(!args, "no arguments of a constructor");
    *(struct array **)to = need(sizeof(struct array));
    alive++;
}
static void new_empty_string(void *to, const GDExtensionConstTypePtr *args)
{
    (void)args;
    new_string(to, "");
}
static void resize_to(void *array, const GDExtensionConstTypePtr *args, size_t width)
{
    struct array *a = array_of(array);
    a->count = (size_t) * (const GDExtensionInt *)args[0];
    a->width = width;
    free(a->at);
    a->at = a->count ? need(a->count * width) : NULL;
}
static void resize_bytes(void *array, const GDExtensionConstTypePtr *args, void *result, int count)
{
    demand(count == 1, "one argument");
    resize_to(array, args, 1);
    *(GDExtensionInt *)result = 0;
}
static void resize_ints(void *array, const GDExtensionConstTypePtr *args, void *result, int count)
{
    demand(count == 1, "one argument");
    resize_to(array, args, 4);
    *(GDExtensionInt *)result = 0;
}
static uint8_t *byte_at(void *array, GDExtensionInt i)
{
    demand((size_t)i < array_of(array)->count, "a byte that is there");
    return (uint8_t *)array_of(array)->at + i;
}
static int32_t *int_at(void *array, GDExtensionInt i)
{
    demand((size_t)i < array_of(array)->count, "an integer that is there");
    return (int32_t *)array_of(array)->at + i;
}
static GDExtensionPtrBuiltInMethod find_builtin(GDExtensionVariantType type, const void *name,
                                                GDExtensionInt hash)
{
    demand(hash == 848867239 && !strcmp(text_of(name), "resize") && is_array(type), "resize");
    return type == GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY ? resize_bytes : resize_ints;
}

/* ---- any type -------------------------------------------------------------------------------- */

static void destroy_text(void *value)
{
    free(*(char **)value);
    alive--;
}
static void destroy_array(void *value)
{
    free(array_of(value)->at);
    free(array_of(value));
    alive--;
}
static GDExtensionPtrConstructor find_constructor(GDExtensionVariantType type, int32_t which)
{
    demand(which == 0, "the plain constructor");
    return is_array(type) ? new_array : new_empty_string;
}
static GDExtensionPtrDestructor find_destructor(GDExtensionVariantType type)
{
    return is_array(type) ? destroy_array : destroy_text;
}
/* Arrays are shared in Godot: here they move, and what is left is empty. */
static void fill_variant(struct variant *variant, GDExtensionVariantType type, void *value)
{
    variant->type = type;
    if (is_array(type)) {
        variant->value.held = *(void **)value;
        new_array(value, NULL);
    } else {
        new_string(&variant->value, text_of(value));
    }
}
static void bytes_to_variant(void *to, void *value)
{
    fill_variant(to, GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, value);
}
static void ints_to_variant(void *to, void *value)
{
    fill_variant(to, GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, value);
}
static void string_to_variant(void *to, void *value)
{
    fill_variant(to, GDEXTENSION_VARIANT_TYPE_STRING, value);
}
static GDExtensionVariantFromTypeConstructorFunc find_from(GDExtensionVariantType type)
{
    return type == GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY    ? bytes_to_variant
           : type == GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY ? ints_to_variant
                                                                 : string_to_variant;
}
static void string_of_variant(void *to, void *variant)
{
    new_string(to, text_of(&((struct variant *)variant)->value));
}
static GDExtensionTypeFromVariantConstructorFunc find_to(GDExtensionVariantType type)
{
    demand(type == GDEXTENSION_VARIANT_TYPE_STRING, "strings alone");
    return string_of_variant;
}
static GDExtensionVariantType type_of(const void *variant)
{
    return ((const struct variant *)variant)->type;
}

/* ---- classes --------------------------------------------------------------------------------- */

static void *construct(const void *name)
{
    demand(!strcmp(text_of(name), "RefCounted"), "an object of its parent");
    return &instance;
}
static void set_instance(void *object, const void *name, void *data)
{
    demand(object == &instance && !strcmp(text_of(name), "Mapwright"), "its own object");
    instance = data;
}
static void register_class(void *library, const void *name, const void *parent,
                           const GDExtensionClassCreationInfo2 *info)
{
    demand(library == &alive && !strcmp(text_of(name), "Mapwright"), "a class Mapwright");
    demand(!strcmp(text_of(parent), "RefCounted") && info->is_exposed, "counted, and shown");
    class_info = *info;
    registered = true;
}
static void register_method(void *library, const void *name, const GDExtensionClassMethodInfo *info)
{
    demand(library == &alive && registered && !strcmp(text_of(name), "Mapwright"), "its class");
    demand(info->has_return_value && info->return_value_info->hint_string, "what it gives");
    for (uint32_t i = 0; i < info->argument_count; i++)
        demand(info->arguments_info[i].type == GDEXTENSION_VARIANT_TYPE_STRING &&
                   text_of(info->arguments_info[i].name)[0],
               "what it takes");
    method_names[methods] = strdup(text_of(info->name));
    class_methods[methods++] = *info;
}
static void unregister_class(void *library, const void *name)
{
    demand(library == &alive && !strcmp(text_of(name), "Mapwright"), "its class");
    registered = false;
}

static GDExtensionInterfaceFunctionPtr find(const char *name)
{
#define OFFER(function, of_name) \
    if (!strcmp(name, of_name)) \
        return (GDExtensionInterfaceFunctionPtr)function;
    OFFER(find_constructor, "variant_get_ptr_constructor")
    OFFER(find_destructor, "variant_get_ptr_destructor")
    OFFER(find_builtin, "variant_get_ptr_builtin_method")
    OFFER(find_from, "get_variant_from_type_constructor")
    OFFER(find_to, "get_variant_to_type_constructor")
    OFFER(type_of, "variant_get_type")
    OFFER(new_string, "string_new_with_utf8_chars")
    OFFER(read_string, "string_to_utf8_chars")
    OFFER(new_name, "string_name_new_with_latin1_chars")
    OFFER(byte_at, "packed_byte_array_operator_index")
    OFFER(int_at, "packed_int32_array_operator_index")
    OFFER(construct, "classdb_construct_object")
    OFFER(set_instance, "object_set_instance")
    OFFER(register_class, "classdb_register_extension_class2")
    OFFER(register_method, "classdb_register_extension_class_method")
    OFFER(unregister_class, "classdb_unregister_extension_class")
#undef OFFER
    return NULL;
}
static GDExtensionInterfaceFunctionPtr find_nothing(const char *name) { return (void)name, NULL; }

/* ---- a script -------------------------------------------------------------------------------- */

static const GDExtensionClassMethodInfo *method(const char *name)
{
    for (int i = 0; i < methods; i++)
        if (!strcmp(method_names[i], name))
            return &class_methods[i];
    demand(false, name);
    return NULL;
}

/* As GDScript calls where it knows no types. */
static struct variant call(const char *name, int count, char *const texts[])
{
    struct variant args[3], result = {0};
    const void *taken[3];
    GDExtensionCallError error;
    const GDExtensionClassMethodInfo *info = method(name);
    for (int i = 0; i < count; i++) {
        args[i].type = GDEXTENSION_VARIANT_TYPE_STRING;
        new_string(&args[i].value, texts[i]);
        taken[i] = &args[i];
    }
    info->call_func(info->method_userdata, instance, taken, count, &result, &error);
    demand(error.error == GDEXTENSION_CALL_OK, "a good call");
    info->call_func(info->method_userdata, instance, taken, count + 1, &result, &error);
    demand(error.error == GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS, "too many are refused");
    if (count) {
        args[0].type = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY;
        info->call_func(info->method_userdata, instance, taken, count, &result, &error);
        demand(error.error == GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT && !error.argument, "types");
    }
    for (int i = 0; i < count; i++)
        destroy_text(&args[i].value);
    return result;
}

/* As it does where it knows them: the result is there already, empty. */
static void ptrcall(const char *name, int count, char *const texts[], void *result)
{
    struct value args[3];
    const void *taken[3];
    const GDExtensionClassMethodInfo *info = method(name);
    for (int i = 0; i < count; i++) {
        new_string(&args[i], texts[i]);
        taken[i] = &args[i];
    }
    info->ptrcall_func(info->method_userdata, instance, taken, result);
    for (int i = 0; i < count; i++)
        destroy_text(&args[i]);
}

static int play(char *const words[], int count)
{
    struct value bytes;
    new_array(&bytes, NULL);
    ptrcall("encode", 2, words, &bytes);
    struct variant same = call("encode", 2, words), said = call("problem", 0, NULL);
    struct array *a = array_of(&bytes), *b = array_of(&same.value);
    demand(a->count == b->count && (!a->count || !memcmp(a->at, b->at, a->count)), "both ways");
    if (count > 2) {
        struct variant grid = call("grid", 1, words + 2);
        const struct array *cells = array_of(&grid.value);
        for (size_t i = 0; i < cells->count; i++)
            printf("%d ", ((int32_t *)cells->at)[i]);
        destroy_array(&grid.value);
    } else {
        fwrite(a->at, 1, a->count, stdout);
    }
    fputs(text_of(&said.value), stderr);
    int status = a->count == 0;
    demand(status == (text_of(&said.value)[0] != '\0'), "a problem where there are no bytes");
    destroy_array(&bytes);
    destroy_array(&same.value);
    destroy_text(&said.value);
    return status;
}

int main(int count, char **words)
{
    demand(count >= 4, "is called as: godot_host EXTENSION ADDRESS PARAMETERS [GRID]");
    void *extension = dlopen(words[1], RTLD_NOW);
    demand(extension, dlerror());
    GDExtensionBool (*begin)(GDExtensionInterfaceGetProcAddress, GDExtensionClassLibraryPtr,
                             GDExtensionInitialization *);
    *(void **)&begin = dlsym(extension, "mapwright_godot");
    demand(begin && !dlsym(extension, "mw_open"), "one symbol alone");
    GDExtensionInitialization to = {0};
    demand(!begin(find_nothing, &alive, &to), "an engine that lacks something is refused");
    demand(begin(find, &alive, &to) == 1, "it begins");
    for (int level = 0; level < 4; level++)
        to.initialize(to.userdata, (GDExtensionInitializationLevel)level);
    demand(registered && methods == 3 && alive == 0, "a class with its methods, and no more");
    demand(class_info.create_instance_func(NULL) == &instance && instance, "an object");
    int status = play(words + 2, count - 2);
    class_info.free_instance_func(NULL, instance);
    for (int level = 3; level >= 0; level--)
        to.deinitialize(to.userdata, (GDExtensionInitializationLevel)level);
    demand(!registered && alive == 0, "nothing is left");
    return status;
}
